package io.heatshield.shield.reply;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The cluster behind the shield as clients see it: one node with all slots, which is the shield, at
 * the address to which the client has connected.
 *
 * <p>So a cluster client sends every command to the shield and is never redirected. Immutable.
 *
 * @param host the address that the client uses
 * @param tls whether the port speaks TLS
 */
public record OneNodeCluster(String host, int port, boolean tls) {
  /** The names of the commands that are answered here. */
  public static final String COMMANDS =
      "cluster|slots cluster|shards cluster|nodes cluster|info cluster|myid"
          + " readonly readwrite asking";

  private static final int LAST_SLOT = 16_383;
  private static final String INFO =
      """
      cluster_state:ok
      cluster_slots_assigned:16384
      cluster_slots_ok:16384
      cluster_slots_pfail:0
      cluster_slots_fail:0
      cluster_known_nodes:1
      cluster_size:1
      cluster_current_epoch:1
      cluster_my_epoch:1
      cluster_stats_messages_sent:0
      cluster_stats_messages_received:0
      total_cluster_links_buffer_limit_exceeded:0
      """
          .replace("\n", "\r\n");

  /** Returns the node at the local address of a client's connection. */
  public static OneNodeCluster of(Channel client) {
    boolean tls = client.pipeline().get(SslHandler.class) != null;
    if (client.localAddress() instanceof InetSocketAddress local && local.getAddress() != null) {
      String text = local.getAddress().getHostAddress();
      int zone = text.indexOf('%');
      return new OneNodeCluster(zone < 0 ? text : text.substring(0, zone), local.getPort(), tls);
    }
    return new OneNodeCluster("", 0, tls);
  }

  /**
   * Returns the reply to a command.
   *
   * @param words the number of its words
   * @param resp3 whether the client speaks RESP3
   * @return null if a command of this name has another number of words
   */
  public byte @Nullable [] answer(String name, int words, boolean resp3) {
    if (words != (name.indexOf('|') < 0 ? 1 : 2)) {
      return null;
    }
    String reply =
        switch (name) {
          case "cluster|slots" -> slots(resp3);
          case "cluster|shards" -> shards(resp3);
          case "cluster|nodes" -> text(nodes(), resp3);
          case "cluster|info" -> text(INFO, resp3);
          case "cluster|myid" -> bulks(id());
          default -> "+OK\r\n";
        };
    return reply.getBytes(StandardCharsets.US_ASCII);
  }

  private String slots(boolean resp3) {
    String node = bulks(host) + ":" + port + "\r\n" + bulks(id()) + (resp3 ? "%0\r\n" : "*0\r\n");
    return "*1\r\n*3\r\n:0\r\n:" + LAST_SLOT + "\r\n*4\r\n" + node;
  }

  private String shards(boolean resp3) {
    String slots = bulks("slots") + "*2\r\n:0\r\n:" + LAST_SLOT + "\r\n";
    String address = bulks("id", id(), tls ? "tls-port" : "port") + ":" + port + "\r\n";
    String state = bulks("ip", host, "endpoint", host, "role", "master", "replication-offset");
    String node = map(7, resp3) + address + state + ":0\r\n" + bulks("health", "online");
    return "*1\r\n" + map(2, resp3) + slots + bulks("nodes") + "*1\r\n" + node;
  }

  private String nodes() {
    String address = host + ":" + port + "@0";
    return id() + " " + address + " myself,master - 0 0 1 connected 0-" + LAST_SLOT + "\n";
  }

  /** Returns a node ID of 40 hex digits, derived from the address. */
  private String id() {
    try {
      byte[] address = (host + " " + port).getBytes(StandardCharsets.US_ASCII);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(address);
      return HexFormat.of().formatHex(hash, 0, 20);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is not available", e);
    }
  }

  private static String map(int pairs, boolean resp3) {
    return resp3 ? "%" + pairs + "\r\n" : "*" + 2 * pairs + "\r\n";
  }

  private static String bulks(String... texts) {
    var bulks = new StringBuilder();
    for (String text : texts) {
      bulks.append('$').append(text.length()).append("\r\n").append(text).append("\r\n");
    }
    return bulks.toString();
  }

  /** Returns a text: a verbatim string in RESP3, a bulk string in RESP2. */
  private static String text(String text, boolean resp3) {
    return resp3 ? "=" + (text.length() + 4) + "\r\ntxt:" + text + "\r\n" : bulks(text);
  }
}
