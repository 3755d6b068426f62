package io.heatshield.redis;

import io.heatshield.redis.connection.Address;
import io.heatshield.redis.connection.ConnectionFactory;
import io.heatshield.redis.connection.ServerConnection;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Reads from a server of a cluster which master owns each slot. Everything in the reply is checked.
 */
final class ClusterSlots {
  static final int COUNT = 16_384;
  static final int MAX_SERVERS = 1000;
  private static final Logger LOG = LoggerFactory.getLogger(ClusterSlots.class);

  private ClusterSlots() {}

  /**
   * Returns the owner of each slot, as the first server reports it that knows any.
   *
   * @return null if no server does
   */
  static @Nullable Address @Nullable [] find(
      Iterable<Address> servers, ConnectionFactory connections) {
    for (Address server : servers) {
      try (ServerConnection connection = connections.open(server)) {
        @Nullable Address[] owners = read(connection);
        long count = Arrays.stream(owners).filter(Objects::nonNull).distinct().count();
        if (count > 0 && count <= MAX_SERVERS) {
          return owners;
        }
      } catch (RuntimeException e) {
        LOG.debug("cannot read the cluster slots from {}", server, e);
      }
    }
    return null;
  }

  private static @Nullable Address[] read(ServerConnection connection) {
    if (!(connection.call(Protocol.Command.CLUSTER, "SLOTS") instanceof List<?> entries)) {
      throw malformed();
    }
    @Nullable Address[] owners = new Address[COUNT];
    for (Object entry : entries) {
      if (entry instanceof List<?> parts
          && parts.size() >= 3
          && parts.get(0) instanceof Long first
          && parts.get(1) instanceof Long last
          && parts.get(2) instanceof List<?> master
          && first >= 0
          && last >= first
          && last < COUNT) {
        Address owner = address(master, connection.peer());
        Arrays.fill(owners, first.intValue(), last.intValue() + 1, owner);
      } else {
        throw malformed();
      }
    }
    return owners;
  }

  /** Returns a master's address; without a host name it is on the host that replied. */
  private static Address address(List<?> master, Address peer) {
    if (master.size() < 2
        || !(master.get(1) instanceof Long port)
        || port < 1
        || port > Character.MAX_VALUE) {
      throw malformed();
    }
    String host =
        master.get(0) instanceof byte[] name ? new String(name, StandardCharsets.ISO_8859_1) : "";
    return new Address(host.isEmpty() || host.equals("?") ? peer.host() : host, port.intValue());
  }

  private static JedisConnectionException malformed() {
    return new JedisConnectionException("not a list of slots");
  }
}
