package io.heatshield.redis;

import io.heatshield.redis.command.ClientSettings;
import io.heatshield.redis.command.Command;
import io.heatshield.redis.command.Node;
import io.heatshield.redis.command.Route;
import io.heatshield.redis.connection.Address;
import io.heatshield.redis.script.Failure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Routes each command to the cluster's master that owns the slot of its key.
 *
 * <p>A thread reads the slots at the start, when a refresh is requested, and repeatedly while some
 * slots have no owner: a server that joins its cluster later knows none. A command follows at most
 * {@value #MAX_REDIRECTS} redirections.
 */
final class ClusterRoute implements Route {
  /*
   * map       volatile; read by every command, replaced as a whole under this
   * closing   volatile; read by the timer, replaced as a whole under this
   *
   * MOVED changes one slot immediately and requests a refresh: usually many slots have moved. A
   * node without slots is closed after the map without it is published. The timer checks it until
   * no command is pending in it: a thread that read the old map may still submit one.
   */
  static final int MAX_REDIRECTS = 3;

  private final List<Address> seeds;
  private final ClientSettings settings;
  private final Thread reader = new Thread(this::run, "redis cluster slots");
  private volatile SlotMap map = SlotMap.empty();
  private volatile List<Node> closing = List.of();
  private volatile boolean outdated = true;
  private volatile boolean closed;

  ClusterRoute(List<Address> seeds, ClientSettings settings) {
    this.seeds = seeds;
    this.settings = settings;
    reader.setDaemon(true);
  }

  void start() {
    reader.start();
  }

  @Override
  public void submit(Command command) {
    Node node = map.owner(JedisClusterCRC16.getSlot(command.key()));
    if (node == null) {
      command.giveUp(Failure.UNREACHABLE);
    } else {
      node.submit(command);
    }
  }

  /** Returns a key of each master, in the order of their slots. */
  List<byte[]> serverKeys() {
    return map.serverKeys();
  }

  @Override
  public void redirect(Command command, String reply, Address by) {
    String[] words = reply.split(" ", -1);
    Node node = null;
    if (command.redirects() < MAX_REDIRECTS && words.length == 3) {
      node = target(words[2], words[0].equals("MOVED") ? slot(words[1]) : -1, by);
    }
    if (node == null) {
      refresh();
      command.fail(Failure.REDIRECTED_TOO_OFTEN);
    } else {
      settings.counters().redirects.increment();
      node.submit(command.redirected(words[0].equals("ASK")));
    }
  }

  @Override
  public void refresh() {
    outdated = true;
    LockSupport.unpark(reader);
  }

  @Override
  public boolean isUp() {
    return map.isComplete() && map.nodes().values().stream().allMatch(Node::isUp);
  }

  @Override
  public long expire(long now, long mostNanos) {
    long next = mostNanos;
    for (Node node : map.nodes().values()) {
      next = node.expire(now, next);
    }
    for (Node node : closing) {
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
      nodes.addAll(closing);
    }
    LockSupport.unpark(reader);
    nodes.forEach(Node::close);
    nodes.forEach(Node::awaitClosed);
  }

  private void run() {
    while (!closed) {
      if (outdated) {
        outdated = false;
        readSlots();
      }
      LockSupport.parkNanos(this, ClientSettings.RETRY_NANOS);
    }
  }

  private void readSlots() {
    Set<Address> known = new LinkedHashSet<>(map.nodes().keySet());
    known.addAll(seeds);
    @Nullable Address[] owners = ClusterSlots.find(known, settings.data());
    if (owners != null) {
      update(owners);
    }
    if (owners == null || !map.isComplete()) {
      outdated = true;
    }
  }

  private synchronized void update(@Nullable Address[] owners) {
    if (closed) {
      return;
    }
    var nodes = new HashMap<Address, Node>();
    @Nullable Node[] slots = new Node[owners.length];
    for (int slot = 0; slot < owners.length; slot++) {
      Address owner = owners[slot];
      slots[slot] = owner == null ? null : nodes.computeIfAbsent(owner, this::node);
    }
    // A node that slots are being moved to has none at first, but commands are redirected to it.
    map.nodes()
        .forEach(
            (address, node) -> {
              if (node.getAndClearRedirectedTo()) {
                nodes.putIfAbsent(address, node);
              }
            });
    var gone = new ArrayList<>(map.nodes().values());
    gone.removeAll(nodes.values());
    gone.addAll(closing);
    gone.removeIf(Node::isTerminated);
    closing = List.copyOf(gone);
    map = new SlotMap(nodes, slots);
    gone.forEach(Node::close);
  }

  /** Returns the node that a redirection names, which may be new; null if it cannot be used. */
  private synchronized @Nullable Node target(String text, int slot, Address by) {
    Address address;
    try {
      // Without a host name it is on the host that replied, as in the list of slots.
      address = Address.ofRedirection(text.startsWith(":") ? by.host() + text : text);
    } catch (IllegalArgumentException e) {
      return null;
    }
    SlotMap present = map;
    boolean known = present.nodes().containsKey(address);
    if (closed || (!known && present.nodes().size() >= ClusterSlots.MAX_SERVERS)) {
      return null;
    }
    Node node = node(address);
    node.markRedirectedTo();
    if (!known || (slot >= 0 && present.owner(slot) != node)) {
      map = present.with(address, node, slot);
      refresh();
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
    return text.matches("[0-9]{1,5}") && Integer.parseInt(text) < ClusterSlots.COUNT
        ? Integer.parseInt(text)
        : -1;
  }
}
