// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

(() => {
  const {byId, element, bytes, count, share, time, table, cards, ask, repeat} = page;
  const hostOf = address => address.replace(/:\d+$/, '');
  const used = s => s.dirtyBytes + s.ownerBytes + s.cleanBytes + s.checksumBytes;

  // A DataNode's own page, where all have one port: on one host there may be several.
  function link(node, single) {
    if (node.self || !single) {
      return node.dataNode;
    }
    const url = new URL('/hycache', location.href);
    url.hostname = hostOf(node.dataNode);
    const a = element('a', '', node.dataNode);
    a.href = url.href;
    return a;
  }

  function state(node) {
    const s = node.status;
    return !s ? node.error : s.passThrough ? 'pass-through' : s.mode;
  }

  async function refresh() {
    const all = await ask('/hycache/cluster.json');
    const nodes = all.dataNodes;
    const known = nodes.filter(node => node.status);
    const sum = figure => known.reduce((so, node) => so + figure(node.status), 0);
    const counted = known.filter(node => !node.status.notCounted);
    const onSsd = figure => counted.reduce((so, node) => so + figure(node.status), 0);
    const waiting = all.members - nodes.length;
    byId('about').textContent = 'As ' + all.dataNode + ' sees it: ' + count(all.members) + (all.members === 1 ? ' member' : ' members')
      + ' of the directory, ' + count(known.length) + ' with an answer' + (waiting > 0 ? ', ' + count(waiting) + ' being asked.' : '.')
      + (counted.length < known.length ? ' What is on the SSDs of ' + count(known.length - counted.length) + ' is not known, and is in no sum.' : '');
    const ssd = sum(s => s.counters.SsdBytesRead);
    const disk = sum(s => s.counters.DiskBytesRead);
    cards('all', [
      ['SSD space', bytes(onSsd(s => s.capacityBytes))],
      ['used', bytes(onSsd(used))],
      ['dirty', bytes(onSsd(s => s.dirtyBytes))],
      ['clean', bytes(onSsd(s => s.cleanBytes))],
      ['free', bytes(onSsd(s => s.freeBytes))],
      ['from SSD since start', share(ssd, ssd + disk)],
      ['read from SSD', bytes(ssd)],
      ['read from DISK', bytes(disk)],
      ['moves waiting', count(onSsd(s => s.movesQueued))],
      ['hinted reads left', count(onSsd(s => s.hintsLeft))],
    ]);
    const single = new Set(nodes.map(node => hostOf(node.dataNode))).size === nodes.length;
    const of = (node, cell) => node.status ? cell(node.status) : '-';
    const ofSsd = (node, cell) => of(node, s => s.notCounted ? '?' : cell(s));
    // What needs a look comes first.
    const order = node => !node.status ? 0 : node.status.passThrough ? 1 : node.status.plannerStalledSeconds ? 2 : 3;
    table('nodes', 'DataNodes', [
      ['DataNode', 'name', node => link(node, single)],
      ['State', 'name', state],
      ['Policy', '', node => of(node, s => s.policy)],
      ['SSD space', 'number', node => ofSsd(node, s => bytes(s.capacityBytes))],
      ['Used', 'number', node => ofSsd(node, s => bytes(used(s)))],
      ['Dirty', 'number', node => ofSsd(node, s => bytes(s.dirtyBytes))],
      ['Clean', 'number', node => ofSsd(node, s => bytes(s.cleanBytes))],
      ['Free', 'number', node => ofSsd(node, s => bytes(s.freeBytes))],
      ['From SSD', 'number', node => of(node, s => share(s.counters.SsdBytesRead, s.counters.SsdBytesRead + s.counters.DiskBytesRead))],
      ['Moves waiting', 'number', node => ofSsd(node, s => count(s.movesQueued))],
      ['Hinted reads left', 'number', node => ofSsd(node, s => count(s.hintsLeft))],
      ['Answer', '', node => node.self ? 'this DataNode' : time(node.ageMillis) + ' old'],
    ], [...nodes].sort((a, b) => order(a) - order(b)), 'None.');
  }

  repeat(refresh);
})();
