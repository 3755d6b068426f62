package io.heatshield.data.command.sketch;

import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.CommandGroup;
import io.heatshield.data.command.KeyCall;
import io.heatshield.data.command.MapReply;
import io.heatshield.redisbloom.CountMin;
import io.heatshield.redisbloom.StructureKind;
import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.List;

/** The commands on count-min sketches, with the replies of RedisBloom. */
public final class CountMinCommands {
  private CountMinCommands() {}

  public static List<Command> all() {
    return new CommandGroup("cms")
        .write(
            "cms.initbydim 4 denyoom,+inplace 2.0.0 Creates a sketch of a width and a depth.",
            CountMinCommands::initByDimensions)
        .write(
            "cms.initbyprob 4 denyoom,+inplace 2.0.0 Creates a sketch with an error and its"
                + " probability.",
            CountMinCommands::initByError)
        .write(
            "cms.incrby -4 denyoom,+inplace 2.0.0 Adds to the counts of items.",
            CountMinCommands::increment)
        .read("cms.query -3 - 2.0.0 Returns the counts of items.", CountMinCommands::query)
        .write(
            "cms.merge -4 denyoom,movablekeys 2.0.0 Sets a sketch to the sum of others.",
            CountMinCommands::merge)
        .read("cms.info 2 - 2.0.0 Describes a sketch.", CountMinCommands::info)
        .commands();
  }

  private static Reply initByDimensions(KeyCall call) {
    checkAbsent(call);
    long width = call.integer(2, 1, Long.MAX_VALUE, "CMS: invalid width");
    long depth = call.integer(3, 1, Long.MAX_VALUE, "CMS: invalid depth");
    return create(call, width, depth);
  }

  private static Reply initByError(KeyCall call) {
    checkAbsent(call);
    double error = fraction(call, 2, "CMS: invalid overestimation value");
    double probability = fraction(call, 3, "CMS: invalid prob value");
    double width = Math.ceil(2 / error);
    // In single precision, as in RedisBloom: the depth is rounded to an integer and must be equal.
    float rows = (float) Math.log10((float) probability) / (float) Math.log10(0.5f);
    return create(call, width >= 0x1p63 ? 0 : (long) width, (long) Math.ceil(rows));
  }

  private static double fraction(KeyCall call, int index, String error) {
    double fraction = call.real(index, error);
    if (fraction <= 0 || fraction >= 1) {
      throw new CommandException(error);
    }
    return fraction;
  }

  private static void checkAbsent(KeyCall call) {
    if (call.value(1) != null) {
      throw new CommandException("CMS: key already exists");
    }
  }

  private static Reply create(KeyCall call, long width, long depth) {
    if (width < 1 || depth < 1 || width > Long.MAX_VALUE / depth) {
      throw new CommandException("CMS: invalid init arguments");
    }
    if (width > (1 << 30) / depth || !call.mayGrow(0, CountMin.bytes(width, depth))) {
      throw new CommandException("CMS: Insufficient memory to create the key");
    }
    CountMin sketch = CountMin.create(call.store().countMinSecret(), width, depth);
    call.put(1, StructureKind.COUNT_MIN, sketch);
    return Reply.OK;
  }

  private static CountMin find(KeyCall call, int place) {
    CountMin sketch = call.structure(place, StructureKind.COUNT_MIN, CountMin.class);
    if (sketch == null) {
      throw new CommandException("CMS: key does not exist");
    }
    return sketch;
  }

  private static Reply increment(KeyCall call) {
    if (call.count() % 2 == 1) {
      throw call.wrongCount();
    }
    CountMin held = find(call, 1);
    for (int i = 3; i < call.count(); i += 2) {
      if (call.integer(i, "CMS: Cannot parse number") < 0) {
        throw new CommandException("CMS: Number cannot be negative");
      }
    }
    CountMin sketch = call.modifiable(held, CountMin.class);
    var counts = new ArrayList<Reply>();
    for (int i = 2; i < call.count(); i += 2) {
      long count = sketch.add(sketch.hash(call.arg(i)), call.integer(i + 1));
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
      counts.add(Reply.of(sketch.query(sketch.hash(call.arg(i)))));
    }
    return Reply.array(counts);
  }

  private static Reply merge(KeyCall call) {
    CountMin target = find(call, 1);
    long keys = call.integer(2, "CMS: invalid numkeys");
    if (keys <= 0) {
      throw new CommandException("CMS: Number of keys must be positive");
    }
    int named = call.count() - 3;
    int mark = 3;
    while (mark < call.count() && !call.is(mark, "weights")) {
      mark++;
    }
    boolean weighted = mark < call.count();
    if (!weighted && keys != named) {
      throw new CommandException("CMS: wrong number of keys");
    }
    if (weighted && (mark - 3 != keys || named != 1 + (2 * keys))) {
      throw new CommandException("CMS: wrong number of keys/weights");
    }
    var sources = new ArrayList<CountMin>();
    long[] weights = new long[(int) keys];
    for (int i = 0; i < keys; i++) {
      weights[i] = weighted ? call.integer(mark + 1 + i, "CMS: invalid weight value") : 1;
      CountMin source = find(call, 3 + i);
      if (source.width() != target.width() || source.depth() != target.depth()) {
        throw new CommandException("CMS: width/depth is not equal");
      }
      if (!source.isKeyedLike(target)) {
        throw new CommandException("CMS: seed is not equal");
      }
      sources.add(source);
    }
    CountMin sum = CountMin.merge(sources, weights);
    if (sum == null) {
      throw new CommandException("CMS: MERGE overflow");
    }
    call.put(1, StructureKind.COUNT_MIN, sum);
    return Reply.OK;
  }

  private static Reply info(KeyCall call) {
    CountMin sketch = find(call, 1);
    return MapReply.withStatusNames()
        .add("width", sketch.width())
        .add("depth", sketch.depth())
        .add("count", sketch.count())
        .build();
  }
}
