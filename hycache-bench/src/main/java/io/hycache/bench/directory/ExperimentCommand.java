// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import picocli.CommandLine.Command;

/** Experiments with real processes on this machine. */
@Command(
    name = "experiment",
    mixinStandardHelpOptions = true,
    usageHelpWidth = 100,
    synopsisSubcommandLabel = "COMMAND",
    description = "Experiments with real processes on this machine.",
    subcommands = MetadataCommand.class)
public final class ExperimentCommand {}
