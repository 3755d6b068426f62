package io.heatshield.data.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An exact model of keys with sketches, which checks each reply. Replies are lines joined by
 * blanks, with the booleans and nulls of RESP2.
 */
final class SketchModel {
  static final int KEYS = 4;
  static final int ITEMS = 12;
  static final int PLACES = 3;
  private static final String WRONG_TYPE =
      "-WRONGTYPE Operation against a key holding the wrong kind of value";

  /** The commands that a run is made of. */
  enum Op {
    CF_ADD,
    CF_ADDNX,
    CF_INSERT,
    CF_EXISTS,
    CF_COUNT,
    CF_DEL,
    CF_INFO,
    CF_COMPACT,
    CMS_INIT,
    CMS_INCRBY,
    CMS_QUERY,
    CMS_MERGE,
    TOPK_RESERVE,
    TOPK_ADD,
    TOPK_INCRBY,
    TOPK_LIST,
    SET,
    DEL,
    RENAME,
    EXPIRE,
    TYPE,
    RESTART
  }

  /** One command: what it is, on which key, with which item or other key, and a number. */
  record Step(Op op, int key, int item, int number) {}

  private enum Kind {
    STRING("string"),
    CUCKOO("MBbloomCF"),
    COUNT_MIN("CMSk-TYPE"),
    TOP("TopK-TYPE");

    private final String title;

    Kind(String title) {
      this.title = title;
    }
  }

  private static final class ModelKey {
    final Kind kind;
    final Map<Integer, Long> counts = new HashMap<>();

    ModelKey(Kind kind) {
      this.kind = kind;
    }

    long count(int item) {
      return counts.getOrDefault(item, 0L);
    }

    void add(int item, long by) {
      if (by != 0) {
        counts.merge(item, by, Long::sum);
      }
    }

    long sum() {
      return counts.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private final Map<Integer, ModelKey> keys = new HashMap<>();
  private final Function<String, String> server;

  SketchModel(Function<String, String> server) {
    this.server = server;
  }

  /** Runs a step against server and model. */
  void run(Step step) {
    String key = "k" + step.key();
    String item = "i" + step.item();
    ModelKey held = keys.get(step.key());
    switch (step.op()) {
      case CF_ADD -> added(step, "cf.add " + key + " " + item, ":1");
      case CF_INSERT -> added(step, "cf.insert " + key + " items " + item, "*1 :1");
      case CF_ADDNX -> addedIfAbsent(step, "cf.addnx " + key + " " + item);
      case CF_EXISTS -> {
        if (typed(held, Kind.CUCKOO, "cf.exists " + key + " " + item, ":0")) {
          String reply = server.apply("cf.exists " + key + " " + item);
          assertThat(reply).isIn(count(step) > 0 ? List.of(":1") : List.of(":0", ":1"));
        }
      }
      case CF_COUNT -> {
        if (typed(held, Kind.CUCKOO, "cf.count " + key + " " + item, ":0")) {
          assertThat(number(server.apply("cf.count " + key + " " + item)))
              .isBetween(count(step), total(step));
        }
      }
      case CF_DEL -> {
        if (typed(held, Kind.CUCKOO, "cf.del " + key + " " + item, "-Not found")
            && count(step) > 0) {
          is("cf.del " + key + " " + item, ":1");
          need(step).add(step.item(), -1);
        }
      }
      case CF_INFO -> {
        if (typed(held, Kind.CUCKOO, "cf.info " + key, "-ERR not found")) {
          assertThat(server.apply("cf.info " + key))
              .contains("+Number of items inserted :" + total(step) + " ");
        }
      }
      case CF_COMPACT -> {
        if (typed(held, Kind.CUCKOO, "cf.compact " + key, "-Cuckoo filter was not found")) {
          is("cf.compact " + key, "+OK");
        }
      }
      case CMS_INIT -> create(step, Kind.COUNT_MIN, "cms.initbydim " + key + " 3 2", "CMS");
      case CMS_INCRBY -> {
        String command = "cms.incrby " + key + " " + item + " " + step.number();
        if (typed(held, Kind.COUNT_MIN, command, "-CMS: key does not exist")) {
          need(step).add(step.item(), step.number());
          assertThat(number(server.apply(command).substring("*1 ".length())))
              .isBetween(count(step), total(step));
        }
      }
      case CMS_QUERY -> {
        if (typed(held, Kind.COUNT_MIN, "cms.query " + key + " a", "-CMS: key does not exist")) {
          checkCounts(step);
        }
      }
      case CMS_MERGE -> merge(step, key);
      case TOPK_RESERVE -> create(step, Kind.TOP, "topk.reserve " + key + " " + PLACES, "TopK");
      case TOPK_ADD -> counted(step, "topk.add " + key + " " + item, 1);
      case TOPK_INCRBY ->
          counted(step, "topk.incrby " + key + " " + item + " " + step.number(), step.number());
      case TOPK_LIST -> {
        if (typed(held, Kind.TOP, "topk.list " + key, "-TopK: key does not exist")) {
          checkList(step);
        }
      }
      case SET -> {
        is("set " + key + " v", "+OK");
        keys.put(step.key(), new ModelKey(Kind.STRING));
      }
      case DEL -> is("del " + key, keys.remove(step.key()) == null ? ":0" : ":1");
      case RENAME -> {
        int to = step.item() % KEYS;
        is("rename " + key + " k" + to, held == null ? "-ERR no such key" : "+OK");
        if (held != null) {
          keys.remove(step.key());
          keys.put(to, held);
        }
      }
      case EXPIRE -> {
        is("expire " + key + " 10000", held == null ? ":0" : ":1");
        assertThat(number(server.apply("ttl " + key))).isBetween(held == null ? -2L : 9000, 10000L);
      }
      case TYPE -> is("type " + key, "+" + (held == null ? "none" : held.kind.title));
      case RESTART -> {}
    }
  }

  /** Asks for everything that the model knows. */
  void checkAll() {
    assertThat(number(server.apply("dbsize"))).isEqualTo(keys.size());
    for (int key = 0; key < KEYS; key++) {
      for (Op op : List.of(Op.TYPE, Op.CF_INFO, Op.CMS_QUERY, Op.TOPK_LIST)) {
        run(new Step(op, key, 0, 0));
      }
      for (int item = 0; item < ITEMS; item++) {
        run(new Step(Op.CF_EXISTS, key, item, 0));
        run(new Step(Op.CF_COUNT, key, item, 0));
      }
    }
  }

  private void added(Step step, String command, String reply) {
    ModelKey held = keys.get(step.key());
    if (held == null || typed(held, Kind.CUCKOO, command, "")) {
      is(command, reply);
      keys.computeIfAbsent(step.key(), key -> new ModelKey(Kind.CUCKOO)).add(step.item(), 1);
    }
  }

  private void addedIfAbsent(Step step, String command) {
    ModelKey held = keys.get(step.key());
    if (held == null || typed(held, Kind.CUCKOO, command, "")) {
      String reply = server.apply(command);
      boolean in = held != null && held.count(step.item()) > 0;
      assertThat(reply).isIn(in ? List.of(":0") : List.of(":0", ":1"));
      ModelKey now = keys.computeIfAbsent(step.key(), key -> new ModelKey(Kind.CUCKOO));
      now.add(step.item(), number(reply));
    }
  }

  private void create(Step step, Kind kind, String command, String prefix) {
    if (keys.containsKey(step.key())) {
      is(command, "-" + prefix + ": key already exists");
    } else {
      is(command, "+OK");
      keys.put(step.key(), new ModelKey(kind));
    }
  }

  private void merge(Step step, String key) {
    int other = step.item() % KEYS;
    String command = "cms.merge " + key + " 2 k" + other + " " + key + " weights 2 1";
    ModelKey target = keys.get(step.key());
    ModelKey source = keys.get(other);
    if (!typed(target, Kind.COUNT_MIN, command, "-CMS: key does not exist")
        || !typed(source, Kind.COUNT_MIN, command, "-CMS: key does not exist")) {
      return;
    }
    is(command, "+OK");
    ModelKey sum = new ModelKey(Kind.COUNT_MIN);
    need(step).counts.forEach(sum::add);
    if (source != null) {
      source.counts.forEach((item, count) -> sum.add(item, 2 * count));
    }
    keys.put(step.key(), sum);
  }

  private void counted(Step step, String command, int by) {
    if (typed(keys.get(step.key()), Kind.TOP, command, "-TopK: key does not exist")) {
      assertThat(server.apply(command)).startsWith("*1 $");
      need(step).add(step.item(), by);
    }
  }

  private void checkCounts(Step step) {
    String[] replies = server.apply("cms.query k" + step.key() + items()).split(" ", -1);
    for (int item = 0; item < ITEMS; item++) {
      assertThat(number(replies[1 + item])).isBetween(need(step).count(item), total(step));
    }
    assertThat(server.apply("cms.info k" + step.key())).endsWith("+count :" + total(step));
  }

  /** Counts are exact here, because there are fewer items than are counted one by one. */
  private void checkList(Step step) {
    ModelKey held = need(step);
    var counts = new ArrayList<String>();
    for (int item = 0; item < ITEMS; item++) {
      counts.add(":" + held.count(item));
    }
    is("topk.count k" + step.key() + items(), "*" + ITEMS + " " + String.join(" ", counts));
    String[] listed = server.apply("topk.list k" + step.key() + " withcount").split(" ", -1);
    List<Long> best =
        held.counts.values().stream().sorted(Comparator.reverseOrder()).limit(PLACES).toList();
    assertThat(listed[0]).isEqualTo("*" + (2 * best.size()));
    for (int i = 0; i < best.size(); i++) {
      int item = Integer.parseInt(listed[2 + (3 * i)].substring(1));
      assertThat(number(listed[3 + (3 * i)])).isEqualTo(best.get(i)).isEqualTo(held.count(item));
    }
  }

  /** Returns whether a key holds what a command is for; if not, checks its error. */
  private boolean typed(@Nullable ModelKey held, Kind kind, String command, String missing) {
    if (held == null) {
      is(command, missing);
      return false;
    }
    if (held.kind != kind) {
      is(command, WRONG_TYPE);
      return false;
    }
    return true;
  }

  private ModelKey need(Step step) {
    ModelKey held = keys.get(step.key());
    assertThat(held).isNotNull();
    return held == null ? new ModelKey(Kind.STRING) : held;
  }

  private long count(Step step) {
    return need(step).count(step.item());
  }

  private long total(Step step) {
    return need(step).sum();
  }

  private void is(String command, String reply) {
    assertThat(server.apply(command)).as(command).isEqualTo(reply);
  }

  private static String items() {
    var items = new StringBuilder();
    for (int item = 0; item < ITEMS; item++) {
      items.append(" i").append(item);
    }
    return items.toString();
  }

  private static long number(String reply) {
    return Long.parseLong(reply.substring(1));
  }
}
