package io.heatshield.fleet;

import io.heatshield.detect.StoredKey;
import io.heatshield.detect.WindowCounts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What one node publishes each interval.
 *
 * @param node the node's name, different for every process that ever ran
 * @param sequence how many it has published
 * @param intervalMillis how often it publishes
 * @param health what is amiss on the node, in a line; empty if nothing is
 * @param leftOut scopes for which there was no room
 * @param savings what its actions did
 * @param scopes what it has counted
 */
public record NodeSnapshot(
    String node,
    long sequence,
    long intervalMillis,
    String health,
    int leftOut,
    List<Saved> savings,
    List<ScopeHeat> scopes) {
  /** The most bytes of a stored snapshot: what a node sends in an interval. */
  public static final int MAX_BYTES = 1 << 20;

  /** The most scopes in a snapshot. */
  public static final int MAX_SCOPES = 64;

  /** The most bytes of a text in a snapshot. */
  static final int MAX_TEXT = 255;

  static final int MAX_ACTIONS = 64;
  private static final long MAX_COUNT = Long.MAX_VALUE >>> 12;
  private static final long DAY = 24L * 60 * 60 * 1000;

  /**
   * Returns the stored form; a scope that does not fit into {@link #MAX_BYTES} is left out and
   * counted.
   *
   * @param fingerprint that of the hash which the keys are counted by
   */
  public byte[] pack(long fingerprint) {
    var out = new Packing(Packing.NODE, fingerprint);
    out.text(node);
    out.number(sequence);
    out.number(intervalMillis);
    out.text(cut(health));
    List<Saved> told = savings.subList(0, Math.min(MAX_ACTIONS, savings.size()));
    out.number(told.size());
    told.forEach(saved -> put(out, saved));
    int fitting = 0;
    for (ScopeHeat scope : scopes) {
      int before = out.size();
      out.number(1);
      put(out, scope);
      boolean fits =
          fitting < MAX_SCOPES
              && out.size() <= MAX_BYTES - 64
              && scope.scope().getBytes(StandardCharsets.UTF_8).length <= MAX_TEXT;
      if (fits) {
        fitting++;
      } else {
        out.truncate(before);
      }
    }
    out.number(0);
    out.number(leftOut + scopes.size() - fitting);
    return out.sealed();
  }

  /**
   * Returns the snapshot that was stored.
   *
   * @param fingerprint that of this process's hash
   * @throws RefusedException if it cannot be taken, with the reason
   */
  public static NodeSnapshot unpack(byte[] bytes, long fingerprint) {
    Unpacking in = Unpacking.open(bytes, Packing.NODE, fingerprint, MAX_BYTES);
    String node = in.text(MAX_TEXT);
    long sequence = in.number(Long.MAX_VALUE);
    long interval = in.number(DAY);
    String health = in.text(MAX_TEXT);
    var savings = new ArrayList<Saved>();
    for (int left = in.count(MAX_ACTIONS); left > 0; left--) {
      savings.add(takeSaved(in));
    }
    var scopes = new ArrayList<ScopeHeat>();
    while (in.number(1) == 1) {
      if (scopes.size() == MAX_SCOPES) {
        throw Unpacking.damaged("has more than " + MAX_SCOPES + " scopes");
      }
      scopes.add(takeScope(in));
    }
    int leftOut = (int) in.number(Integer.MAX_VALUE);
    in.end();
    return new NodeSnapshot(node, sequence, interval, health, leftOut, savings, scopes);
  }

  static void put(Packing out, Saved saved) {
    out.text(cut(saved.action()));
    count(out, saved.applied());
    count(out, saved.saved());
    count(out, saved.wouldHaveApplied());
    count(out, saved.wouldHaveSaved());
  }

  static Saved takeSaved(Unpacking in) {
    return new Saved(in.text(MAX_TEXT), count(in), count(in), count(in), count(in));
  }

  static void put(Packing out, StoredKey key) {
    out.number(key.length());
    out.bytes(key.bytes());
    out.word(key.seaHash());
    out.word(key.keyedHash());
  }

  /** Takes a key, whose hash is the word that follows it. */
  static StoredKey takeKey(Unpacking in) {
    int length = (int) in.number(Integer.MAX_VALUE);
    byte[] start = in.bytes(StoredKey.MAX_BYTES);
    if (start.length > length) {
      throw Unpacking.damaged("has a key that is longer than itself");
    }
    long seaHash = in.word();
    return StoredKey.of(start, length, in.word(), seaHash);
  }

  /** Returns a text that has at most {@link #MAX_TEXT} bytes in any case. */
  static String cut(String text) {
    int most = MAX_TEXT / 3;
    return text.length() <= most ? text : text.substring(0, most);
  }

  private static void put(Packing out, ScopeHeat scope) {
    WindowCounts counts = scope.counts();
    out.text(scope.scope());
    out.number(scope.windowMillis());
    out.number(scope.hotAt());
    out.number(scope.coolBelow());
    out.number(scope.floor());
    out.number(counts.width());
    out.number(counts.depth());
    out.number(counts.fold());
    count(out, counts.total());
    for (int i = 0; i < counts.size(); i++) {
      out.number(counts.cell(i));
    }
    List<ListedKey> keys = scope.keys();
    out.number(keys.size());
    for (ListedKey key : keys) {
      put(out, key.key());
      count(out, key.estimate());
      count(out, key.guaranteed());
    }
  }

  private static ScopeHeat takeScope(Unpacking in) {
    String scope = in.text(MAX_TEXT);
    long window = in.number(Long.MAX_VALUE);
    long hotAt = in.number(Long.MAX_VALUE);
    long coolBelow = in.number(Long.MAX_VALUE);
    long floor = in.number(Long.MAX_VALUE);
    WindowCounts counts = takeCounts(in);
    var keys = new ArrayList<ListedKey>();
    for (int left = in.count(ScopeHeat.MAX_KEYS); left > 0; left--) {
      StoredKey key = takeKey(in);
      keys.add(new ListedKey(key, count(in), count(in)));
    }
    return new ScopeHeat(scope, window, hotAt, coolBelow, floor, counts, keys);
  }

  private static WindowCounts takeCounts(Unpacking in) {
    int width = (int) in.number(Integer.MAX_VALUE);
    int depth = (int) in.number(Integer.MAX_VALUE);
    int fold = (int) in.number(Integer.MAX_VALUE);
    long total = count(in);
    long size = fold == 0 ? 0 : (long) depth * WindowCounts.folded(width, fold);
    if (size < 1 || size > ScopeHeat.MAX_CELLS) {
      throw Unpacking.damaged("has a sketch of " + size + " counters");
    }
    int[] cells = new int[(int) size];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = (int) in.number(Integer.MAX_VALUE);
    }
    try {
      return WindowCounts.of(width, depth, fold, total, cells);
    } catch (IllegalArgumentException e) {
      throw Unpacking.damaged("has a sketch that cannot be");
    }
  }

  /** Puts a count, small enough that those of a whole fleet can be added. */
  static void count(Packing out, long count) {
    out.number(Math.min(count, MAX_COUNT));
  }

  static long count(Unpacking in) {
    return in.number(MAX_COUNT);
  }
}
