package io.heatshield.data.command.session;

import io.netty.util.NetUtil;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Delays replies to wrong passwords. Any thread may call.
 *
 * <p>A wrong password is answered after a delay that doubles with each one from the same address
 * for the same user, up to a second. The count is forgotten after a minute without a failure. While
 * {@value #MAX_WAITING} such replies are pending, further passwords of that user from that address
 * are refused unchecked, even right ones: otherwise guesses on many connections would not be slowed
 * down. Other addresses are not affected.
 *
 * <p>An IPv6 address counts by its first 64 bits, which one client can own. User names are grouped
 * by {@value #SLOTS} values of their hash, so that one address takes bounded memory and the delay
 * does not reveal which users exist. At most {@value #MAX_ORIGINS} origins are remembered; the one
 * that failed least recently is forgotten first.
 */
final class FailedLogins {
  static final int MAX_WAITING = 16;
  static final int MAX_ORIGINS = 10_000;
  static final int SLOTS = 16;
  private static final long FORGET_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MAX_DELAY_SHIFT = 7;
  private static final long DELAY_MILLIS = 8;
  private static final int IPV6_BYTES = 16;

  private final Map<Origin, Failures> origins = new LinkedHashMap<>(16, 0.75f, true);

  private record Origin(String network, int slot) {}

  private static final class Failures {
    private int count;
    private int waiting;
    private long lastNanos;
  }

  /** Returns whether a password of a user from an address and port may be checked now. */
  synchronized boolean mayTry(String address, String user) {
    Failures failures = origins.get(origin(address, user));
    return failures == null || failures.waiting < MAX_WAITING;
  }

  /** Records a wrong password; returns the delay of its reply in milliseconds. */
  synchronized long fail(String address, String user, long nowNanos) {
    Failures failures = origins.computeIfAbsent(origin(address, user), origin -> new Failures());
    if (origins.size() > MAX_ORIGINS) {
      origins.remove(origins.keySet().iterator().next());
    }
    boolean old = nowNanos - failures.lastNanos > FORGET_NANOS;
    failures.count = old ? 1 : failures.count + 1;
    failures.lastNanos = nowNanos;
    failures.waiting++;
    return DELAY_MILLIS << Math.min(MAX_DELAY_SHIFT, failures.count - 1);
  }

  /** Records that a wrong password has been answered. */
  synchronized void answered(String address, String user) {
    Failures failures = origins.get(origin(address, user));
    if (failures != null && failures.waiting > 0) {
      failures.waiting--;
    }
  }

  private static Origin origin(String address, String user) {
    String host = address.substring(0, Math.max(0, address.lastIndexOf(':')));
    byte[] ip = NetUtil.createByteArrayFromIpAddressString(host);
    String network =
        ip != null && ip.length == IPV6_BYTES
            ? Arrays.toString(Arrays.copyOf(ip, IPV6_BYTES / 2))
            : host;
    return new Origin(network, Math.floorMod(user.hashCode(), SLOTS));
  }
}
