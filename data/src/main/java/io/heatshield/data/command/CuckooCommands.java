package io.heatshield.data.command;

import io.heatshield.redisbloom.CuckooShape;
import io.heatshield.redisbloom.LayeredCuckoo;
import io.heatshield.redisbloom.StructureKind;
import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The commands on cuckoo filters, as RedisBloom answers them. */
final class CuckooCommands {
  private static final int CAPACITY = 1024;
  private static final int BUCKET_SIZE = 2;
  private static final int ITERATIONS = 20;
  private static final int EXPANSION = 1;
  private static final String NOT_FOUND = "ERR not found";
  private static final String NO_MEMORY = "ERR Insufficient memory to create filter";
  // What RedisBloom counts for a filter beside its slots.
  private static final long NOMINAL_BYTES = 56;

  private CuckooCommands() {}

  static List<Command> all() {
    return List.of(
        write("cf.reserve -3 % Creates an empty cuckoo filter.", CuckooCommands::reserve),
        write("cf.add 3 % Adds an item to a cuckoo filter.", call -> add(call, false)),
        write("cf.addnx 3 % Adds an item if it is not in yet.", call -> add(call, true)),
        write("cf.insert -4 % Adds items to a cuckoo filter.", call -> insert(call, false)),
        write("cf.insertnx -4 % Adds items that are not in yet.", call -> insert(call, true)),
        read("cf.exists 3 % Returns whether an item may be in.", CuckooCommands::exists),
        read("cf.mexists -3 % Returns which items may be in.", CuckooCommands::existMany),
        read("cf.count 3 % Returns how often an item may be in.", CuckooCommands::count),
        write("cf.del 3 % Deletes an item once.", CuckooCommands::delete),
        write("cf.compact 2 % Moves items to older sub-filters.", CuckooCommands::compact),
        read("cf.info 2 % Describes a cuckoo filter.", CuckooCommands::info),
        read("cf.debug 2 % Describes a cuckoo filter in a line.", CuckooCommands::debug),
        read("cf.scandump 3 % Returns a filter piece by piece.", CuckooChunks::dump),
        write("cf.loadchunk 4 % Restores a filter piece by piece.", CuckooChunks::load));
  }

  static @Nullable LayeredCuckoo find(KeyCall call) {
    return call.structure(1, StructureKind.CUCKOO, LayeredCuckoo.class);
  }

  /** Returns the filter, which must be there and whole. */
  static LayeredCuckoo need(KeyCall call, String missing) {
    LayeredCuckoo filter = find(call);
    if (filter == null) {
      throw new Refused(missing);
    }
    return whole(filter);
  }

  private static LayeredCuckoo whole(LayeredCuckoo filter) {
    if (filter.isLoading()) {
      throw new Refused("ERR the filter is not loaded yet");
    }
    return filter;
  }

  private static Command write(String line, Command.OnKeys body) {
    return Command.onKeys(line.replace("%", "write,denyoom,+inplace 1 1 1 cuckoo 1.0.0"), body);
  }

  private static Command read(String line, Command.OnKeys body) {
    return Command.onKeys(line.replace("%", "readonly 1 1 1 cuckoo 1.0.0"), body);
  }

  private static Reply reserve(KeyCall call) {
    if (call.count() % 2 == 0) {
      throw call.wrongCount();
    }
    long capacity = Words.integer(call.word(2), "Bad capacity");
    int iterations = option(call, "maxiterations", ITERATIONS, 1, 65_535);
    int bucketSize = option(call, "bucketsize", BUCKET_SIZE, 1, 255);
    int expansion = option(call, "expansion", EXPANSION, 0, 32_768);
    if (capacity < 2L * bucketSize || capacity > LayeredCuckoo.MAX_CAPACITY) {
      throw new Refused(
          "Capacity must be in the range [2 * BUCKETSIZE, " + LayeredCuckoo.MAX_CAPACITY + "]");
    }
    Refused.ifHeld(call.value(1), StructureKind.CUCKOO, "ERR item exists");
    call.put(
        1,
        StructureKind.CUCKOO,
        create(call, new CuckooShape(capacity, bucketSize, iterations, expansion)));
    return Reply.OK;
  }

  private static int option(KeyCall call, String name, int usual, int least, int most) {
    for (int i = 3; i < call.count(); i++) {
      if (call.is(i, name)) {
        String upper = Words.upper(name);
        String wrong = "Couldn't parse " + upper;
        if (i + 1 == call.count()) {
          throw new Refused(wrong);
        }
        long value = Words.integer(call.word(i + 1), wrong);
        if (value < least || value > most) {
          throw new Refused(upper + ": value must be in the range [" + least + ", " + most + "]");
        }
        return (int) value;
      }
    }
    return usual;
  }

  private static LayeredCuckoo create(KeyCall call, CuckooShape shape) {
    if (!call.mayTake(0, shape.bytes())) {
      throw new Refused(NO_MEMORY);
    }
    return LayeredCuckoo.create(shape);
  }

  private static Reply add(KeyCall call, boolean onlyIfAbsent) {
    LayeredCuckoo filter = ownOrNew(call, CAPACITY, true);
    LayeredCuckoo.Added added = add(call, filter, call.word(2), onlyIfAbsent);
    if (added == LayeredCuckoo.Added.FULL) {
      throw new Refused("Filter is full");
    }
    if (added == LayeredCuckoo.Added.NO_MEMORY) {
      throw new Refused("ERR Insufficient memory");
    }
    if (added == LayeredCuckoo.Added.ADDED) {
      call.put(1, StructureKind.CUCKOO, filter);
    }
    return Reply.of(added == LayeredCuckoo.Added.ADDED);
  }

  private static Reply insert(KeyCall call, boolean onlyIfAbsent) {
    long capacity = CAPACITY;
    boolean create = true;
    int items = 2;
    for (boolean more = true; more; items++) {
      if (items == call.count()) {
        throw call.wrongCount();
      }
      byte[] word = call.word(items);
      switch (word.length == 0 ? 0 : Words.lower(word[0])) {
        case 'c' -> {
          if (++items == call.count()) {
            throw call.wrongCount();
          }
          capacity = Words.integer(call.word(items), "Bad capacity");
          if (capacity < 2 * BUCKET_SIZE || capacity > LayeredCuckoo.MAX_CAPACITY) {
            throw new Refused(
                "Capacity must be in the range [cf-bucket-size * 2, "
                    + LayeredCuckoo.MAX_CAPACITY
                    + "]");
          }
        }
        case 'n' -> create = false;
        case 'i' -> more = false;
        default -> throw new Refused("Unknown argument received");
      }
    }
    if (items == call.count()) {
      throw call.wrongCount();
    }
    LayeredCuckoo filter = ownOrNew(call, capacity, create);
    var replies = new ArrayList<Reply>();
    boolean changed = call.value(1) == null;
    for (int i = items; i < call.count(); i++) {
      LayeredCuckoo.Added added = add(call, filter, call.word(i), onlyIfAbsent);
      changed |= added == LayeredCuckoo.Added.ADDED;
      replies.add(inserted(added, onlyIfAbsent));
    }
    if (changed) {
      call.put(1, StructureKind.CUCKOO, filter);
    }
    return Reply.array(replies);
  }

  private static Reply inserted(LayeredCuckoo.Added added, boolean onlyIfAbsent) {
    return switch (added) {
      case ADDED -> onlyIfAbsent ? Reply.ONE : Reply.of(true);
      case PRESENT -> onlyIfAbsent ? Reply.ZERO : Reply.of(false);
      default -> onlyIfAbsent ? Reply.of(-1L) : Reply.either(Reply.of(-1L), Reply.of(false));
    };
  }

  private static LayeredCuckoo.Added add(
      KeyCall call, LayeredCuckoo filter, byte[] item, boolean onlyIfAbsent) {
    return filter.add(filter.hash(item), onlyIfAbsent, more -> call.mayTake(filter.bytes(), more));
  }

  /** Returns the filter, to be changed, or a new one with the usual parameters. */
  private static LayeredCuckoo ownOrNew(KeyCall call, long capacity, boolean create) {
    LayeredCuckoo filter = find(call);
    if (filter != null) {
      return call.own(whole(filter), LayeredCuckoo.class);
    }
    if (!create) {
      throw new Refused(NOT_FOUND);
    }
    return create(call, new CuckooShape(capacity, BUCKET_SIZE, ITERATIONS, EXPANSION));
  }

  private static Reply exists(KeyCall call) {
    return exists(find(call), call.word(2));
  }

  private static Reply existMany(KeyCall call) {
    LayeredCuckoo filter = find(call);
    var replies = new ArrayList<Reply>();
    for (int i = 2; i < call.count(); i++) {
      replies.add(exists(filter, call.word(i)));
    }
    return Reply.array(replies);
  }

  private static Reply exists(@Nullable LayeredCuckoo filter, byte[] item) {
    return Reply.of(filter != null && whole(filter).contains(filter.hash(item)));
  }

  private static Reply count(KeyCall call) {
    LayeredCuckoo filter = find(call);
    return Reply.of(filter == null ? 0L : whole(filter).count(filter.hash(call.word(2))));
  }

  private static Reply delete(KeyCall call) {
    LayeredCuckoo filter = call.own(need(call, "Not found"), LayeredCuckoo.class);
    boolean deleted = filter.delete(filter.hash(call.word(2)));
    if (deleted) {
      call.put(1, StructureKind.CUCKOO, filter);
    }
    return Reply.of(deleted);
  }

  private static Reply compact(KeyCall call) {
    LayeredCuckoo filter = call.own(need(call, "Cuckoo filter was not found"), LayeredCuckoo.class);
    filter.compact();
    call.put(1, StructureKind.CUCKOO, filter);
    return Reply.OK;
  }

  private static Reply info(KeyCall call) {
    LayeredCuckoo filter = find(call);
    if (filter == null) {
      throw new Refused(NOT_FOUND);
    }
    CuckooShape shape = filter.shape();
    var pairs = new ArrayList<Reply>();
    add(pairs, "Size", size(filter));
    add(pairs, "Number of buckets", buckets(shape));
    add(pairs, "Number of filters", filters(filter));
    add(pairs, "Number of items inserted", filter.size());
    add(pairs, "Number of items deleted", filter.deleted());
    add(pairs, "Bucket size", shape.bucketSize());
    add(pairs, "Expansion rate", shape.expansion());
    add(pairs, "Max iterations", shape.maxIterations());
    return Reply.map(pairs);
  }

  private static Reply debug(KeyCall call) {
    LayeredCuckoo filter = find(call);
    if (filter == null) {
      throw new Refused(NOT_FOUND);
    }
    CuckooShape shape = filter.shape();
    return Reply.bulk(
        "bktsize:"
            + shape.bucketSize()
            + " buckets:"
            + buckets(shape)
            + " items:"
            + filter.size()
            + " deletes:"
            + filter.deleted()
            + " filters:"
            + filters(filter)
            + " max_iterations:"
            + shape.maxIterations()
            + " expansion:"
            + shape.expansion());
  }

  /** Returns the bytes that RedisBloom has for these parameters; ours are MEMORY USAGE's. */
  private static long size(LayeredCuckoo filter) {
    CuckooShape shape = filter.shape();
    double slots = buckets(shape) * shape.bucketSize();
    double filters = filters(filter);
    double factor = shape.expansion();
    double times = factor <= 1 ? filters : (Math.pow(factor, filters) - 1) / (factor - 1);
    return NOMINAL_BYTES + (long) (slots * times);
  }

  /** Returns how many sub-filters RedisBloom needs at least for what is or was in. */
  private static long filters(LayeredCuckoo filter) {
    CuckooShape shape = filter.shape();
    long items = Math.min(filter.size() + filter.deleted(), filter.capacity());
    long first = shape.capacity();
    if (shape.expansion() <= 1) {
      return Math.max(1, (items + first - 1) / first);
    }
    long filters = 1;
    for (double room = first; room < items; room = room * shape.expansion() + first) {
      filters++;
    }
    return filters;
  }

  private static long buckets(CuckooShape shape) {
    long least = Math.max(1, shape.capacity() / shape.bucketSize());
    return least == 1 ? 1 : Long.highestOneBit(least - 1) << 1;
  }

  private static void add(List<Reply> pairs, String name, long value) {
    pairs.add(Reply.status(name));
    pairs.add(Reply.of(value));
  }
}
