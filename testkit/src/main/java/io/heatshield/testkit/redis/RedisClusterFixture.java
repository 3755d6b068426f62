package io.heatshield.testkit.redis;

import io.heatshield.testkit.net.FreePort;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * A real Redis Cluster of three masters on loopback, each with a third of the slots and no replica.
 *
 * <p>A node is a {@link RedisFixture} that can be paused, killed and restarted. A cluster with a
 * dead node answers CLUSTERDOWN once the other nodes have noticed: after five seconds, or after
 * {@code cluster-node-timeout}.
 *
 * <p>Any thread may call any method.
 */
public final class RedisClusterFixture implements AutoCloseable {
  private static final int NODES = 3;
  private static final int SLOTS = 16_384;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final List<Node> nodes;

  private RedisClusterFixture(List<Node> nodes) {
    this.nodes = List.copyOf(nodes);
  }

  /**
   * Starts a cluster and waits until all its nodes agree that it is up.
   *
   * @param lines the lines of each node's redis.conf, except addresses and cluster settings
   */
  public static RedisClusterFixture start(String... lines) {
    List<String> checked = RedisFixture.checked(lines);
    var nodes = new ArrayList<Node>();
    try {
      for (int i = 0; i < NODES; i++) {
        nodes.add(startNode(checked));
      }
      var cluster = new RedisClusterFixture(nodes);
      cluster.join();
      cluster.awaitUp();
      return cluster;
    } catch (RuntimeException e) {
      nodes.forEach(node -> node.redis.close());
      throw e;
    }
  }

  /** Returns the nodes, in the order of their slots. */
  public List<RedisFixture> nodes() {
    return nodes.stream().map(node -> node.redis).toList();
  }

  /** Returns the address that all nodes listen on. */
  public String host() {
    return nodes.get(0).redis.host();
  }

  /** Returns the ports of the nodes, in the order of their slots. */
  public List<Integer> ports() {
    return nodes.stream().map(node -> node.redis.port()).toList();
  }

  /** Returns {@code redis-cluster://127.0.0.1:port,127.0.0.1:port,127.0.0.1:port}. */
  public URI uri() {
    return URI.create(
        nodes.stream()
            .map(node -> node.redis.uri().getRawAuthority())
            .collect(Collectors.joining(",", "redis-cluster://", "")));
  }

  /** Returns the node that owned the key's slot when the cluster was started. */
  public RedisFixture ownerOf(String key) {
    RedisFixture first = nodes.get(0).redis;
    int slot = Integer.parseInt(first.command("CLUSTER", "KEYSLOT", key));
    int owner = 0;
    while (slot >= firstSlot(owner + 1)) {
      owner++;
    }
    return nodes.get(owner).redis;
  }

  /** Sends one command to the node that owns the key, its first argument, and returns the reply. */
  public String command(String name, String key, String... more) {
    var arguments = new ArrayList<String>();
    arguments.add(key);
    arguments.addAll(List.of(more));
    return ownerOf(key).command(name, arguments.toArray(String[]::new));
  }

  /**
   * Starts a replica of a node and waits until it has the node's data and all nodes know it. The
   * caller closes it.
   */
  public RedisFixture startReplica(RedisFixture of, String... lines) {
    Node replica = startNode(RedisFixture.checked(lines));
    try {
      String id = of.command("CLUSTER", "MYID");
      of.command(
          "CLUSTER",
          "MEET",
          replica.redis.host(),
          Integer.toString(replica.redis.port()),
          Integer.toString(replica.busPort));
      await(
          () -> replica.redis.command("CLUSTER", "NODES").contains(id),
          "the replica does not know its master");
      replica.redis.command("CLUSTER", "REPLICATE", id);
      String own = replica.redis.command("CLUSTER", "MYID");
      for (Node node : nodes) {
        await(
            () -> node.redis.command("CLUSTER", "REPLICAS", id).contains(own),
            "a node does not know the replica");
      }
      await(
          () -> replica.redis.command("INFO", "replication").contains("master_link_status:up"),
          "the replica has no link to its master");
      return replica.redis;
    } catch (RuntimeException e) {
      replica.redis.close();
      throw e;
    }
  }

  /** Moves the slot of a key to another node and informs all nodes; the slot must be empty. */
  public void moveSlot(String key, RedisFixture to) {
    String slot = to.command("CLUSTER", "KEYSLOT", key);
    String id = to.command("CLUSTER", "MYID");
    String from = ownerOf(key).command("CLUSTER", "MYID");
    // A node that imports a slot gets a higher epoch when it becomes the owner. Without that, a
    // message that the former owner has already sent could take the slot back.
    to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", from);
    to.command("CLUSTER", "SETSLOT", slot, "NODE", id);
    for (Node node : nodes) {
      node.redis.command("CLUSTER", "SETSLOT", slot, "NODE", id);
    }
  }

  /** Waits until every node knows all nodes and all slots and reports the cluster as up. */
  public void awaitUp() {
    for (Node node : nodes) {
      await(
          () -> isUp(node.redis.command("CLUSTER", "INFO")), "the Redis cluster does not come up");
    }
  }

  /** Kills all nodes and deletes their folders; safe to call twice. */
  @Override
  public void close() {
    nodes.forEach(node -> node.redis.close());
  }

  private static Node startNode(List<String> lines) {
    int[] busPort = new int[1];
    RedisFixture redis =
        RedisFixture.start(
            () -> {
              busPort[0] = FreePort.find();
              var all = new ArrayList<String>();
              all.add("cluster-enabled yes");
              all.add("cluster-port " + busPort[0]);
              all.add("cluster-node-timeout 5000");
              all.addAll(lines);
              return all;
            });
    return new Node(redis, busPort[0]);
  }

  /** Assigns slots and a distinct epoch to each node, then makes the first node meet the others. */
  private void join() {
    RedisFixture first = nodes.get(0).redis;
    for (int i = 0; i < NODES; i++) {
      RedisFixture redis = nodes.get(i).redis;
      redis.command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
      redis.command(
          "CLUSTER",
          "ADDSLOTSRANGE",
          Integer.toString(firstSlot(i)),
          Integer.toString(firstSlot(i + 1) - 1));
    }
    for (Node node : nodes.subList(1, NODES)) {
      first.command(
          "CLUSTER",
          "MEET",
          node.redis.host(),
          Integer.toString(node.redis.port()),
          Integer.toString(node.busPort));
    }
  }

  private static void await(BooleanSupplier condition, String failure) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    var never = new CountDownLatch(1);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(failure);
      }
      try {
        never.await(20, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while the Redis cluster was changing", e);
      }
    }
  }

  private static int firstSlot(int node) {
    return SLOTS * node / NODES;
  }

  private static boolean isUp(String info) {
    return info.contains("cluster_state:ok\r\n")
        && info.contains("cluster_known_nodes:" + NODES + "\r\n")
        && info.contains("cluster_slots_ok:" + SLOTS + "\r\n");
  }

  private record Node(RedisFixture redis, int busPort) {}
}
