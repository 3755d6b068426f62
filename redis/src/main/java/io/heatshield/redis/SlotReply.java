package io.heatshield.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Reads what a server says of the slots of its cluster; nothing of it is believed unchecked. */
final class SlotReply {
  private SlotReply() {}

  /** Asks over a connection; the owner without a name is who was asked. */
  static Map<Address, List<Range>> read(Link link, Address asked) {
    link.sendCommand(Protocol.Command.CLUSTER, "SLOTS");
    link.send();
    if (!(link.next() instanceof List<?> entries)) {
      throw malformed();
    }
    var owners = new HashMap<Address, List<Range>>();
    for (Object entry : entries) {
      if (entry instanceof List<?> parts
          && parts.size() >= 3
          && parts.get(0) instanceof Long first
          && parts.get(1) instanceof Long last
          && parts.get(2) instanceof List<?> master) {
        owners
            .computeIfAbsent(address(master, asked), none -> new ArrayList<>())
            .add(new Range(first, last));
      } else {
        throw malformed();
      }
    }
    return owners;
  }

  private static Address address(List<?> master, Address asked) {
    if (master.size() < 2 || !(master.get(1) instanceof Long port)) {
      throw malformed();
    }
    if (port < 1 || port > Character.MAX_VALUE) {
      throw malformed();
    }
    String host =
        master.get(0) instanceof byte[] name ? new String(name, StandardCharsets.ISO_8859_1) : "";
    return new Address(host.isEmpty() || host.equals("?") ? asked.host() : host, port.intValue());
  }

  private static JedisConnectionException malformed() {
    return new JedisConnectionException("not a list of slots");
  }

  /** Slots that follow one another, the last included. */
  record Range(long first, long last) {
    Range {
      if (first < 0 || last < first || last >= SlotMap.SLOTS) {
        throw malformed();
      }
    }

    void fill(@Nullable Node[] slots, Node owner) {
      Arrays.fill(slots, (int) first, (int) last + 1, owner);
    }
  }
}
