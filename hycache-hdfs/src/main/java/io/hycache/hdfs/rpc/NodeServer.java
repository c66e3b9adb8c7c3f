package io.hycache.hdfs.rpc;

import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Peers;
import io.hycache.core.hint.HintBatch;
import io.hycache.core.model.BlockKey;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtobufRpcEngineCallback2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's side: takes a {@link NodeService} onto the DataNode's own IPC port.
 *
 * <p>Who may do what: every user that the DataNode's IPC server authenticates (and, with service
 * authorization on, {@code security.hycache.protocol.acl} lets in) may ask for the status and for
 * the place of blocks, which reveals no data. Hints are taken only for blocks whose access token
 * {@link BlockAccess} accepts, and all of a submission or nothing. A workflow may be replaced or
 * withdrawn only by the user that submitted it or by a superuser, and settings changed only by a
 * superuser: the user that runs the DataNode, a member of {@code dfs.permissions.superusergroup},
 * or everyone if permissions are off.
 */
public final class NodeServer {
  private static final Logger LOG = LoggerFactory.getLogger(NodeServer.class);

  private final NodeService service;
  private final Supplier<@Nullable DirectoryNode> directory;
  private final BlockAccess access;
  private final HintAssembly assembly;
  private final WorkflowOwners owners;
  private final String processUser;
  private final String superGroup;
  private final boolean permissions;

  private NodeServer(
      Configuration conf,
      NodeService service,
      Supplier<@Nullable DirectoryNode> directory,
      BlockAccess access,
      int maxSteps)
      throws IOException {
    this.service = service;
    this.directory = directory;
    this.access = access;
    this.assembly = new HintAssembly(maxSteps, System::nanoTime);
    this.owners = new WorkflowOwners(() -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    this.processUser = UserGroupInformation.getCurrentUser().getShortUserName();
    this.superGroup =
        conf.get(
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT);
    this.permissions =
        conf.getBoolean(
            DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_ENABLED_DEFAULT);
  }

  /**
   * Adds the protocol to a running server, and to its service ACLs if the cluster uses them. A
   * second registration replaces the first.
   *
   * @param server the DataNode's {@code ipcServer}
   * @param conf the DataNode's configuration
   * @param directory this node's share of the directory; null as long as there is none
   * @param maxSteps steps kept of one submission, &gt; 0; what is beyond is dropped, and counted as
   *     not accepted
   */
  public static void register(
      RPC.Server server,
      Configuration conf,
      NodeService service,
      Supplier<@Nullable DirectoryNode> directory,
      BlockAccess access,
      int maxSteps)
      throws IOException {
    NodeServer node = new NodeServer(conf, service, directory, access, maxSteps);
    server.addTerseExceptions(RefusedException.class);
    server.addProtocol(
        RPC.RpcKind.RPC_PROTOCOL_BUFFER, NodeProtocolPB.class, node.new Dispatcher());
    if (conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false)) {
      server.refreshServiceAcl(conf, new NodePolicyProvider());
    }
    LOG.info(
        "HyCache protocol registered: protocol={} version={} address={}",
        NodeProtocol.NAME,
        NodeProtocol.VERSION,
        server.getListenerAddress());
  }

  /**
   * Starts a server of the directory alone, for a process that is no DataNode: its users are
   * trusted as a DataNode's are.
   *
   * @param port 0: any
   * @param handlers requests that are worked on at a time, &gt; 0
   */
  public static RPC.Server serveDirectory(
      Configuration conf,
      String host,
      int port,
      int handlers,
      Supplier<@Nullable DirectoryNode> directory)
      throws IOException {
    RPC.setProtocolEngine(conf, NodeProtocolPB.class, ProtobufRpcEngine2.class);
    NodeServer node = new NodeServer(conf, new NoBlocks(), directory, BlockAccess.unchecked(), 1);
    RPC.Server server =
        new RPC.Builder(conf)
            .setProtocol(NodeProtocolPB.class)
            .setInstance(node.new Dispatcher())
            .setBindAddress(host)
            .setPort(port)
            .setNumHandlers(handlers)
            .build();
    server.addTerseExceptions(RefusedException.class);
    server.start();
    return server;
  }

  /** What protobuf would have generated. */
  private final class Dispatcher implements BlockingService {
    private final ServiceDescriptor descriptor = NodeProtocol.newDescriptor();

    @Override
    public ServiceDescriptor getDescriptorForType() {
      return descriptor;
    }

    @Override
    public Message callBlockingMethod(
        MethodDescriptor method, RpcController controller, Message request)
        throws ServiceException {
      try {
        return answer(method.getName(), (BytesValue) request);
      } catch (IOException e) {
        throw new ServiceException(e);
      } catch (RuntimeException e) {
        LOG.warn("Request failed: method={} user={}", method.getName(), Server.getRemoteUser(), e);
        throw new ServiceException(new IOException("request failed: " + e, e));
      }
    }

    @Override
    public Message getRequestPrototype(MethodDescriptor method) {
      return BytesValue.getDefaultInstance();
    }

    @Override
    public Message getResponsePrototype(MethodDescriptor method) {
      return BytesValue.getDefaultInstance();
    }
  }

  private BytesValue answer(String method, BytesValue request) throws IOException {
    switch (method) {
      case NodeProtocol.SUBMIT_HINTS:
        return Wire.accepted(submit(Wire.readSubmit(request)));
      case NodeProtocol.WITHDRAW:
        return Wire.left(withdraw(Wire.readWithdraw(request)));
      case NodeProtocol.STATUS:
        Wire.readStatus(request);
        return Wire.status(service.status());
      case NodeProtocol.LOCATE:
        List<BlockKey> blocks = Wire.readLocate(request);
        return Wire.located(service.locate(blocks));
      case NodeProtocol.SETTINGS:
        return Wire.settings(settings(Wire.readSettings(request)));
      case NodeProtocol.DIRECTORY_RUN:
        return run(DirectoryWire.readRun(request));
      case NodeProtocol.DIRECTORY_REPLICATE:
        checkPeer();
        DirectoryWire.Replicate told = DirectoryWire.readReplicate(request);
        return DirectoryWire.wanted(directory().replicate(told.from, told.missed, told.changes));
      case NodeProtocol.DIRECTORY_PULL:
        checkPeer();
        return pull(DirectoryWire.readPull(request));
      case NodeProtocol.DIRECTORY_VIEW:
        return DirectoryWire.view(directory().view());
      default:
        throw new RefusedException("unknown method: method=" + method);
    }
  }

  /** Returns the steps accepted with the last part, 0 before. */
  private int submit(Wire.SubmitPart part) throws IOException {
    UserGroupInformation user = remoteUser();
    String name = user.getShortUserName();
    try {
      owners.check(part.workflow, name, isSuperuser(user));
      for (Wire.TokenBlock block : part.blocks) {
        access.check(block.block, block.identifier, block.password);
      }
    } catch (IOException | RuntimeException e) {
      assembly.discard(name, part.submission);
      throw e;
    }
    HintBatch batch = assembly.add(name, part);
    if (batch == null) {
      return 0;
    }
    int accepted = service.submitHints(batch);
    owners.put(batch.workflow(), name, batch.ttlMillis());
    LOG.info(
        "Hints taken: workflow={} user={} accepted={} offered={} ttlMillis={}",
        batch.workflow(),
        name,
        accepted,
        batch.steps().size(),
        batch.ttlMillis());
    return accepted;
  }

  private int withdraw(String workflow) throws IOException {
    UserGroupInformation user = remoteUser();
    owners.check(workflow, user.getShortUserName(), isSuperuser(user));
    int left = service.withdraw(workflow);
    owners.remove(workflow);
    LOG.info(
        "Hints withdrawn: workflow={} user={} left={}", workflow, user.getShortUserName(), left);
    return left;
  }

  private Map<String, String> settings(Map<String, String> changes) throws IOException {
    UserGroupInformation user = remoteUser();
    if (!changes.isEmpty() && !isSuperuser(user)) {
      throw new RefusedException(
          "only an HDFS superuser may change settings: user=" + user.getShortUserName());
    }
    Map<String, String> now = service.settings(changes);
    changes.forEach(
        (key, value) ->
            LOG.info("Setting changed: {}={} user={}", key, value, user.getShortUserName()));
    return now;
  }

  // ---- the directory ----------------------------------------------------------------------------

  private DirectoryNode directory() throws IOException {
    DirectoryNode node = directory.get();
    if (node == null) {
      throw new RefusedException("this node has no part in the directory (hycache.directory)");
    }
    return node;
  }

  private void checkPeer() throws IOException {
    UserGroupInformation user = remoteUser();
    if (!isSuperuser(user)) {
      throw new RefusedException(
          "only an HDFS superuser may change the directory: user=" + user.getShortUserName());
    }
  }

  /** Ends at once if no other replica has to hear of it; else later, and holds no handler. */
  private BytesValue run(DirectoryWire.Run run) throws IOException {
    if (!run.publisher.isEmpty() || run.operations.stream().anyMatch(o -> o.kind().writes())) {
      checkPeer();
    }
    CompletableFuture<List<Outcome>> outcomes =
        directory().run(run.publisher, run.epoch, run.operations);
    if (outcomes.isDone()) {
      return DirectoryWire.ran(outcomes.join());
    }
    ProtobufRpcEngineCallback2 later = ProtobufRpcEngine2.Server.registerForDeferredResponse2();
    CompletableFuture<?> unused =
        outcomes.whenComplete(
            (done, failure) -> {
              if (failure == null) {
                later.setResponse(DirectoryWire.ran(done));
              } else {
                later.error(failure);
              }
            });
    return BytesValue.getDefaultInstance();
  }

  private BytesValue pull(DirectoryWire.Pull pull) throws IOException {
    Peers.Pulled pulled = directory().pull(pull.view, pull.takeOver, pull.shards, pull.at);
    if (pulled == null) {
      throw new RefusedException("this node knows later members of the directory");
    }
    return DirectoryWire.pulled(pulled);
  }

  private boolean isSuperuser(UserGroupInformation user) {
    return !permissions
        || user.getShortUserName().equals(processUser)
        || Arrays.asList(user.getGroupNames()).contains(superGroup);
  }

  private static UserGroupInformation remoteUser() throws IOException {
    UserGroupInformation remote = Server.getRemoteUser();
    return remote != null ? remote : UserGroupInformation.getCurrentUser();
  }
}
