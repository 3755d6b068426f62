package io.heatshield.shield;

import io.heatshield.config.settings.HotReadsSettings;
import io.heatshield.guard.ChangeFeed;
import io.heatshield.guard.GuardContext;
import io.heatshield.guard.HashedKey;
import io.heatshield.guard.HotValues;
import io.heatshield.guard.Load;
import io.heatshield.guard.ValueTraits;
import io.heatshield.ring.HotRing;
import io.heatshield.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The upstream's replies to GET of hot keys, kept in memory. Thread-safe.
 *
 * <p>{@link HotValues} keeps them and decides what may be served. This class adds what a proxy
 * needs: the value is an encoded reply; clients see different values depending on their user and
 * database; and a kept reply must not outlive its key, so a load also needs the reply to PTTL.
 */
final class HotReplies {
  private static final int MAX_VIEWS = 64;
  private static final int HEADER_BYTES = 32;
  private static final long NO_EXPIRY = Long.MAX_VALUE;
  private static final long INVALID_TTL = -2;

  /** A key as seen by the clients of one user and one database. */
  @SuppressWarnings("ArrayRecordComponent") // Compared by its content.
  record ViewKey(int view, byte[] bytes, long hash) implements HashedKey {
    @Override
    public boolean equals(Object other) {
      return other instanceof ViewKey that
          && hash == that.hash
          && view == that.view
          && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return (int) hash + view;
    }
  }

  /** A reply and the time at which its key expires. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record KeptReply(byte[] bytes, long expiryNanos) {}

  /** A GET whose reply will be kept. For one event loop. */
  static final class ReplyLoad {
    private final Load<ViewKey, KeptReply> load;
    private final boolean needsTtl;
    private byte @Nullable [] reply;

    private ReplyLoad(Load<ViewKey, KeptReply> load, boolean needsTtl) {
      this.load = load;
      this.needsTtl = needsTtl;
    }

    /** Returns whether the load also needs the reply to PTTL. */
    boolean needsTtl() {
      return needsTtl;
    }

    byte[] key() {
      return load.key().bytes();
    }
  }

  private final HotValues<ViewKey, KeptReply> values;
  private final ChangeFeed changes;
  private final Ticker ticker;
  private final Map<String, Integer> views = new ConcurrentHashMap<>();
  private final int maxReplyBytes;

  /**
   * Creates an empty cache.
   *
   * @param maxBytes the memory that replies and keys may take
   * @param changes reports whether {@link #invalidate} is called for every change
   */
  HotReplies(
      GuardContext context,
      HotReadsSettings settings,
      long maxBytes,
      HotRing ring,
      ChangeFeed changes) {
    this.changes = changes;
    this.ticker = context.ticker();
    this.maxReplyBytes = (int) settings.maxValue().bytes() + HEADER_BYTES;
    var traits =
        new ValueTraits<KeptReply>() {
          @Override
          public long weight(KeptReply reply) {
            return reply.bytes.length;
          }

          @Override
          public boolean isExpired(KeptReply reply) {
            return reply.expiryNanos != NO_EXPIRY && ticker.nanos() - reply.expiryNanos >= 0;
          }
        };
    this.values = new HotValues<>(context, limits(settings), maxBytes, ring, traits, changes);
  }

  void tune(HotReadsSettings next) {
    values.tune(limits(next));
  }

  boolean isOn() {
    return values.isOn();
  }

  boolean isEnforced() {
    return values.isEnforced();
  }

  /** Returns the longest reply that is kept. */
  int maxReplyBytes() {
    return maxReplyBytes;
  }

  /**
   * Returns the number of the view that clients of a user have of a database, or -1 if there are
   * more than {@value #MAX_VIEWS} views: such clients are not served from memory.
   */
  int view(String user, int database) {
    String name = database + " " + user;
    Integer known = views.get(name);
    if (known != null) {
      return known;
    }
    synchronized (views) {
      if (views.size() == MAX_VIEWS) {
        return views.getOrDefault(name, -1);
      }
      return views.computeIfAbsent(name, added -> views.size());
    }
  }

  /** Counts a read of a key; returns whether the key is hot. */
  boolean touch(ViewKey key) {
    return values.touch(key);
  }

  /** Returns whether a reply is kept that could be served now. */
  boolean contains(ViewKey key) {
    return values.contains(key);
  }

  /** Returns the reply to serve, or null. */
  byte @Nullable [] serve(ViewKey key) {
    KeptReply kept = values.serve(key);
    return kept == null ? null : kept.bytes;
  }

  /** Returns the reply to serve while the upstream is unavailable, or null. */
  byte @Nullable [] serveLast(ViewKey key) {
    KeptReply kept = values.serveLast(key);
    return kept == null ? null : kept.bytes;
  }

  /** Returns the reply to serve while the upstream is unavailable, or {@code error}. */
  byte[] serveLastOr(@Nullable ViewKey key, byte[] error) {
    byte[] kept = key == null ? null : serveLast(key);
    return kept == null ? error : kept;
  }

  /** Begins to load a key; returns null if a load is running or changes are not delivered. */
  @Nullable ReplyLoad begin(ViewKey key) {
    Load<ViewKey, KeptReply> load = changes.isDelivering() ? values.begin(key) : null;
    return load == null ? null : new ReplyLoad(load, isEnforced());
  }

  /** Handles the reply to the GET of a load. */
  void onValue(ReplyLoad load, ByteBuf reply, boolean isValue) {
    if (!isValue || reply.readableBytes() > maxReplyBytes) {
      abandon(load);
      return;
    }
    load.reply = ByteBufUtil.getBytes(reply);
    if (!load.needsTtl) {
      complete(load, NO_EXPIRY);
    }
  }

  /** Handles the reply to the PTTL of a load. */
  void onTtl(ReplyLoad load, ByteBuf reply) {
    long millis = ttl(reply);
    if (millis == INVALID_TTL) {
      abandon(load);
    } else {
      complete(
          load, millis < 0 ? NO_EXPIRY : ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(millis));
    }
  }

  /** Ends a load without a reply to keep. */
  void abandon(ReplyLoad load) {
    values.abandon(load.load);
  }

  /** Drops the kept reply of a key and cancels its load, in all views. */
  void invalidate(byte[] key, long hash) {
    int viewCount = views.size();
    for (int view = 0; view < viewCount; view++) {
      values.invalidate(new ViewKey(view, key, hash));
    }
  }

  void invalidateAll() {
    values.invalidateAll();
  }

  /** Returns the values, for metrics and maintenance. */
  HotValues<?, ?> values() {
    return values;
  }

  private void complete(ReplyLoad load, long expiryNanos) {
    byte[] reply = load.reply;
    if (reply == null) {
      abandon(load);
    } else {
      values.complete(load.load, new KeptReply(reply, expiryNanos));
    }
  }

  /** Returns the milliseconds in a reply to PTTL, or -1 for a key that does not expire. */
  private static long ttl(ByteBuf reply) {
    String text = reply.toString(StandardCharsets.US_ASCII).trim();
    return text.matches(":(-1|[0-9]{1,18})")
        ? Long.parseLong(text, 1, text.length(), 10)
        : INVALID_TTL;
  }

  private static HotValues.Limits limits(HotReadsSettings settings) {
    return new HotValues.Limits(settings.mode(), settings.threshold(), settings.maxStale());
  }
}
