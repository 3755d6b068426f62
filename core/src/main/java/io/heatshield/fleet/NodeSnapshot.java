package io.heatshield.fleet;

import io.heatshield.detect.StoredKey;
import io.heatshield.detect.WindowCounts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The counts that a node publishes each interval.
 *
 * @param node the node's name, unique for every process
 * @param sequence the number of this snapshot
 * @param intervalMillis the interval between snapshots
 * @param health the node's problems in one line; empty if there are none
 * @param leftOut the number of scopes for which there was no room
 * @param savings the effects of its actions
 * @param scopes the counts by scope
 */
public record NodeSnapshot(
    String node,
    long sequence,
    long intervalMillis,
    String health,
    int leftOut,
    List<Saved> savings,
    List<ScopeHeat> scopes) {
  /** The maximum bytes of a stored snapshot. */
  public static final int MAX_BYTES = 1 << 20;

  /** The maximum number of scopes. */
  public static final int MAX_SCOPES = 64;

  /** The maximum bytes of a text. */
  static final int MAX_TEXT = 255;

  static final int MAX_ACTIONS = 64;
  private static final long MAX_COUNT = Long.MAX_VALUE >>> 12;
  private static final long DAY = 24L * 60 * 60 * 1000;

  /**
   * Returns the stored form; scopes that do not fit into {@link #MAX_BYTES} are left out and
   * counted.
   *
   * @param fingerprint the fingerprint of the hash that keys are counted by
   */
  public byte[] pack(long fingerprint) {
    var out = new FleetEncoder(FleetEncoder.NODE, fingerprint);
    out.text(node);
    out.number(sequence);
    out.number(intervalMillis);
    out.text(cut(health));
    List<Saved> first = savings.subList(0, Math.min(MAX_ACTIONS, savings.size()));
    out.number(first.size());
    first.forEach(saved -> put(out, saved));
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
   * Returns the snapshot of a stored form.
   *
   * @param fingerprint the fingerprint of this process's hash
   * @throws InvalidFleetDataException if the form is rejected; the message is the reason
   */
  public static NodeSnapshot unpack(byte[] bytes, long fingerprint) {
    FleetDecoder in = FleetDecoder.open(bytes, FleetEncoder.NODE, fingerprint, MAX_BYTES);
    String node = in.text(MAX_TEXT);
    long sequence = in.number(Long.MAX_VALUE);
    long interval = in.number(DAY);
    String health = in.text(MAX_TEXT);
    var savings = new ArrayList<Saved>();
    for (int left = in.count(MAX_ACTIONS); left > 0; left--) {
      savings.add(readSaved(in));
    }
    var scopes = new ArrayList<ScopeHeat>();
    while (in.number(1) == 1) {
      if (scopes.size() == MAX_SCOPES) {
        throw FleetDecoder.damaged("has more than " + MAX_SCOPES + " scopes");
      }
      scopes.add(readScope(in));
    }
    int leftOut = (int) in.number(Integer.MAX_VALUE);
    in.end();
    return new NodeSnapshot(node, sequence, interval, health, leftOut, savings, scopes);
  }

  static void put(FleetEncoder out, Saved saved) {
    out.text(cut(saved.action()));
    count(out, saved.applied());
    count(out, saved.saved());
    count(out, saved.wouldHaveApplied());
    count(out, saved.wouldHaveSaved());
  }

  static Saved readSaved(FleetDecoder in) {
    return new Saved(in.text(MAX_TEXT), count(in), count(in), count(in), count(in));
  }

  static void put(FleetEncoder out, StoredKey key) {
    out.number(key.length());
    out.bytes(key.bytes());
    out.word(key.seaHash());
    out.word(key.keyedHash());
  }

  /** Reads a key. */
  static StoredKey readKey(FleetDecoder in) {
    int length = (int) in.number(Integer.MAX_VALUE);
    byte[] start = in.bytes(StoredKey.MAX_BYTES);
    if (start.length > length) {
      throw FleetDecoder.damaged("has a key that is longer than its length");
    }
    long seaHash = in.word();
    return StoredKey.of(start, length, in.word(), seaHash);
  }

  /** Truncates a text so that it has at most {@link #MAX_TEXT} bytes. */
  static String cut(String text) {
    int most = MAX_TEXT / 3;
    return text.length() <= most ? text : text.substring(0, most);
  }

  private static void put(FleetEncoder out, ScopeHeat scope) {
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

  private static ScopeHeat readScope(FleetDecoder in) {
    String scope = in.text(MAX_TEXT);
    long window = in.number(Long.MAX_VALUE);
    long hotAt = in.number(Long.MAX_VALUE);
    long coolBelow = in.number(Long.MAX_VALUE);
    long floor = in.number(Long.MAX_VALUE);
    WindowCounts counts = readCounts(in);
    var keys = new ArrayList<ListedKey>();
    for (int left = in.count(ScopeHeat.MAX_KEYS); left > 0; left--) {
      StoredKey key = readKey(in);
      keys.add(new ListedKey(key, count(in), count(in)));
    }
    return new ScopeHeat(scope, window, hotAt, coolBelow, floor, counts, keys);
  }

  private static WindowCounts readCounts(FleetDecoder in) {
    int width = (int) in.number(Integer.MAX_VALUE);
    int depth = (int) in.number(Integer.MAX_VALUE);
    int fold = (int) in.number(Integer.MAX_VALUE);
    long total = count(in);
    long size = fold == 0 ? 0 : (long) depth * WindowCounts.folded(width, fold);
    if (size < 1 || size > ScopeHeat.MAX_CELLS) {
      throw FleetDecoder.damaged("has a sketch of " + size + " counters");
    }
    int[] cells = new int[(int) size];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = (int) in.number(Integer.MAX_VALUE);
    }
    try {
      return WindowCounts.of(width, depth, fold, total, cells);
    } catch (IllegalArgumentException e) {
      throw FleetDecoder.damaged("has an invalid sketch");
    }
  }

  /** Writes a count, limited so that the sum over a whole fleet cannot overflow. */
  static void count(FleetEncoder out, long count) {
    out.number(Math.min(count, MAX_COUNT));
  }

  static long count(FleetDecoder in) {
    return in.number(MAX_COUNT);
  }
}
