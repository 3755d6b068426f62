package io.heatshield.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Keys lie on the masters of a cluster, by their slot.
 *
 * <p>A thread of its own reads the slots from the first server that tells them, at the start and
 * when a lane is in doubt, and again and again while some have no owner: a server that joins its
 * cluster later knows none. A redirection is followed at most {@value #MAX_HOPS} times.
 */
final class ClusterRoute implements Route, Runnable {
  /*
   * map     read: volatile, on every command   replaced whole, under this
   *
   * MOVED changes one slot at once and raises a doubt: most often many slots have moved. A node that
   * has no slot left is closed after the map without it is there, and stays under the timer's eyes
   * until nothing waits in it: a command which read the old map may still come.
   *
   * leaving   read: volatile, by the timer   replaced whole, under this
   */
  static final int MAX_HOPS = 3;
  private static final int MAX_NODES = 1000;
  private static final Logger LOG = LoggerFactory.getLogger(ClusterRoute.class);

  private final List<Address> seeds;
  private final Settings settings;
  private final Thread reader;
  private volatile SlotMap map = SlotMap.empty();
  private volatile List<Node> leaving = List.of();
  private volatile boolean doubted = true;
  private volatile boolean closed;

  ClusterRoute(List<Address> seeds, Settings settings) {
    this.seeds = seeds;
    this.settings = settings;
    this.reader = new Thread(this, "redis cluster slots");
    reader.setDaemon(true);
  }

  void start() {
    reader.start();
  }

  @Override
  public void submit(Command command) {
    Node node = map.owner(JedisClusterCRC16.getSlot(command.key));
    if (node == null) {
      command.giveUp(Failure.UNREACHABLE);
    } else {
      node.submit(command);
    }
  }

  /** Returns a key for each master, by the order of their slots. */
  List<byte[]> serverKeys() {
    return map.serverKeys();
  }

  @Override
  public void redirect(Command command, String reply, Address by) {
    String[] words = reply.split(" ", -1);
    Node node = null;
    if (command.hops < MAX_HOPS && words.length == 3) {
      node = pointedTo(words[2], words[0].equals("MOVED") ? slot(words[1]) : -1, by);
    }
    if (node == null) {
      doubt();
      command.failed(new RedisException(Failure.REDIRECTED_TOO_OFTEN));
    } else {
      settings.tally().redirects.increment();
      node.submit(command.redirected(words[0].equals("ASK")));
    }
  }

  @Override
  public void doubt() {
    doubted = true;
    LockSupport.unpark(reader);
  }

  @Override
  public boolean isUp() {
    return map.isComplete() && map.nodes().values().stream().allMatch(Node::isUp);
  }

  @Override
  public long expire(long now, long otherwise) {
    long next = otherwise;
    for (Node node : map.nodes().values()) {
      next = node.expire(now, next);
    }
    for (Node node : leaving) {
      next = node.expire(now, next);
    }
    return next;
  }

  @Override
  public void close() {
    List<Node> nodes;
    synchronized (this) {
      closed = true;
      nodes = new ArrayList<>(map.nodes().values());
      nodes.addAll(leaving);
    }
    LockSupport.unpark(reader);
    nodes.forEach(Node::close);
    nodes.forEach(Node::abandon);
  }

  @Override
  public void run() {
    while (!closed) {
      if (doubted) {
        doubted = false;
        refresh();
      }
      LockSupport.parkNanos(this, settings.probeNanos());
    }
  }

  /** Reads the slots from the first server that tells them. */
  private void refresh() {
    Set<Address> known = new LinkedHashSet<>(map.nodes().keySet());
    known.addAll(seeds);
    for (Address address : known) {
      try (Link link = settings.data().open(address)) {
        Map<Address, List<SlotReply.Range>> told = SlotReply.read(link, address);
        if (!told.isEmpty()) {
          take(told);
          if (!map.isComplete()) {
            doubted = true;
          }
          return;
        }
      } catch (RuntimeException next) {
        LOG.debug("{} does not tell the slots of its cluster", address, next);
      }
    }
    doubted = true;
  }

  private synchronized void take(Map<Address, List<SlotReply.Range>> owners) {
    if (closed || owners.size() > MAX_NODES) {
      return;
    }
    var nodes = new HashMap<Address, Node>();
    @Nullable Node[] slots = new Node[SlotMap.SLOTS];
    owners.forEach(
        (address, ranges) -> {
          Node node = node(address);
          nodes.put(address, node);
          ranges.forEach(range -> range.fill(slots, node));
        });
    // One that slots are being moved to owns none at first, and is asked all the same.
    map.nodes()
        .forEach(
            (address, node) -> {
              if (node.wasPointedTo()) {
                nodes.putIfAbsent(address, node);
              }
            });
    var gone = new ArrayList<>(map.nodes().values());
    gone.removeAll(nodes.values());
    gone.addAll(leaving);
    gone.removeIf(Node::isQuiet);
    leaving = List.copyOf(gone);
    map = new SlotMap(nodes, slots);
    gone.forEach(Node::close);
  }

  /** Returns the node at an address, made now if need be; null if it may not be made. */
  private synchronized @Nullable Node pointedTo(String text, int slot, Address by) {
    Address address;
    try {
      // Without a name it is the host that says so, as in the list of slots.
      address = Address.ofRedirection(text.startsWith(":") ? by.host() + text : text);
    } catch (IllegalArgumentException e) {
      return null;
    }
    SlotMap present = map;
    boolean known = present.nodes().containsKey(address);
    if (closed || (!known && present.nodes().size() >= MAX_NODES)) {
      return null;
    }
    Node node = node(address);
    node.pointTo();
    if (!known || (slot >= 0 && present.owner(slot) != node)) {
      map = present.with(address, node, slot);
      doubt();
    }
    return node;
  }

  private Node node(Address address) {
    Node present = map.nodes().get(address);
    return present != null
        ? present
        : new Node(address.toString(), () -> address, this, settings).start();
  }

  private static int slot(String text) {
    return text.matches("[0-9]{1,5}") && Integer.parseInt(text) < SlotMap.SLOTS
        ? Integer.parseInt(text)
        : -1;
  }
}
