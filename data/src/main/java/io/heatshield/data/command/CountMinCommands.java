package io.heatshield.data.command;

import io.heatshield.redisbloom.CountMin;
import io.heatshield.redisbloom.StructureKind;
import io.heatshield.resp.Reply;
import io.heatshield.store.engine.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The commands on count-min sketches, as RedisBloom answers them. */
final class CountMinCommands {
  private static final String MISSING = "CMS: key does not exist";

  private CountMinCommands() {}

  static List<Command> all() {
    return List.of(
        Command.onKeys(
            "cms.initbydim 4 write,denyoom,+inplace 1 1 1 cms 2.0.0 Creates a sketch of a width and a depth.",
            CountMinCommands::initByDimensions),
        Command.onKeys(
            "cms.initbyprob 4 write,denyoom,+inplace 1 1 1 cms 2.0.0 Creates a sketch with an error and its probability.",
            CountMinCommands::initByError),
        Command.onKeys(
            "cms.incrby -4 write,denyoom,+inplace 1 1 1 cms 2.0.0 Adds to the counts of items.",
            CountMinCommands::increment),
        Command.onKeys(
            "cms.query -3 readonly 1 1 1 cms 2.0.0 Returns the counts of items.",
            CountMinCommands::query),
        Command.onKeys(
            "cms.merge -4 write,denyoom,movablekeys 1 1 1 cms 2.0.0 Sets a sketch to the sum of others.",
            CountMinCommands::merge),
        Command.onKeys(
            "cms.info 2 readonly 1 1 1 cms 2.0.0 Describes a sketch.", CountMinCommands::info));
  }

  private static Reply initByDimensions(KeyCall call) {
    refuseIfHeld(call.value(1));
    long width = Words.integer(call.word(2), "CMS: invalid width");
    if (width < 1) {
      throw new Refused("CMS: invalid width");
    }
    long depth = Words.integer(call.word(3), "CMS: invalid depth");
    if (depth < 1) {
      throw new Refused("CMS: invalid depth");
    }
    return create(call, width, depth);
  }

  private static Reply initByError(KeyCall call) {
    refuseIfHeld(call.value(1));
    double error = part(call.word(2), "CMS: invalid overestimation value");
    double probability = part(call.word(3), "CMS: invalid prob value");
    double width = Math.ceil(2 / error);
    // In single precision, as RedisBloom reckons: the depth is a whole number and must be the same.
    float rows = (float) Math.log10((float) probability) / (float) Math.log10(0.5f);
    return create(call, width >= 0x1p63 ? 0 : (long) width, (long) Math.ceil(rows));
  }

  private static double part(byte[] word, String error) {
    double part = Words.real(word, error);
    if (part <= 0 || part >= 1) {
      throw new Refused(error);
    }
    return part;
  }

  private static void refuseIfHeld(@Nullable Value held) {
    if (held != null) {
      throw new Refused("CMS: key already exists");
    }
  }

  private static Reply create(KeyCall call, long width, long depth) {
    if (width < 1 || depth < 1 || width > Long.MAX_VALUE / depth) {
      throw new Refused("CMS: invalid init arguments");
    }
    if (width > (1 << 30) / depth || !call.mayTake(0, CountMin.bytes(width, depth))) {
      throw new Refused("CMS: Insufficient memory to create the key");
    }
    CountMin sketch = CountMin.create(call.store().countMinSecret(), width, depth);
    call.put(1, StructureKind.COUNT_MIN, sketch);
    return Reply.OK;
  }

  private static CountMin find(KeyCall call, int place) {
    CountMin sketch = call.structure(place, StructureKind.COUNT_MIN, CountMin.class);
    if (sketch == null) {
      throw new Refused(MISSING);
    }
    return sketch;
  }

  private static Reply increment(KeyCall call) {
    if (call.count() % 2 == 1) {
      throw call.wrongCount();
    }
    CountMin held = find(call, 1);
    for (int i = 3; i < call.count(); i += 2) {
      if (Words.integer(call.word(i), "CMS: Cannot parse number") < 0) {
        throw new Refused("CMS: Number cannot be negative");
      }
    }
    CountMin sketch = call.own(held, CountMin.class);
    var counts = new ArrayList<Reply>();
    for (int i = 2; i < call.count(); i += 2) {
      long count = sketch.add(sketch.hash(call.word(i)), call.integer(i + 1));
      counts.add(
          count == CountMin.MAX_COUNT ? Reply.error("CMS: INCRBY overflow") : Reply.of(count));
    }
    call.put(1, StructureKind.COUNT_MIN, sketch);
    return Reply.array(counts);
  }

  private static Reply query(KeyCall call) {
    CountMin sketch = find(call, 1);
    var counts = new ArrayList<Reply>();
    for (int i = 2; i < call.count(); i++) {
      counts.add(Reply.of(sketch.query(sketch.hash(call.word(i)))));
    }
    return Reply.array(counts);
  }

  private static Reply merge(KeyCall call) {
    CountMin target = find(call, 1);
    long keys = Words.integer(call.word(2), "CMS: invalid numkeys");
    if (keys <= 0) {
      throw new Refused("CMS: Number of keys must be positive");
    }
    int named = call.count() - 3;
    int mark = 3;
    while (mark < call.count() && !call.is(mark, "weights")) {
      mark++;
    }
    boolean weighted = mark < call.count();
    if (!weighted && keys != named) {
      throw new Refused("CMS: wrong number of keys");
    }
    if (weighted && (mark - 3 != keys || named != 1 + (2 * keys))) {
      throw new Refused("CMS: wrong number of keys/weights");
    }
    var sources = new ArrayList<CountMin>();
    long[] weights = new long[(int) keys];
    for (int i = 0; i < keys; i++) {
      weights[i] =
          weighted ? Words.integer(call.word(mark + 1 + i), "CMS: invalid weight value") : 1;
      CountMin source = find(call, 3 + i);
      if (source.width() != target.width() || source.depth() != target.depth()) {
        throw new Refused("CMS: width/depth is not equal");
      }
      if (!source.isKeyedLike(target)) {
        throw new Refused("CMS: seed is not equal");
      }
      sources.add(source);
    }
    CountMin sum = CountMin.merge(sources, weights);
    if (sum == null) {
      throw new Refused("CMS: MERGE overflow");
    }
    call.put(1, StructureKind.COUNT_MIN, sum);
    return Reply.OK;
  }

  private static Reply info(KeyCall call) {
    CountMin sketch = find(call, 1);
    return Reply.map(
        List.of(
            Reply.status("width"),
            Reply.of(sketch.width()),
            Reply.status("depth"),
            Reply.of(sketch.depth()),
            Reply.status("count"),
            Reply.of(sketch.count())));
  }
}
