package io.heatshield.cli.pairs;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.Wait;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clients of a combination: they send random steps and compare every reply with the model.
 *
 * <p>A step that was refused, because its key is throttled or the memory is full, does not change
 * the model; the test also checks whether it may be refused.
 */
final class Traffic {
  private static final int READS = 320;
  private static final int IN_FLIGHT = 200;
  private static final int LONGEST_PIPELINE = 20;

  private final Combination combination;
  private final Random random;
  private final RandomSteps steps;
  private final KeyModel model = new KeyModel();
  private final AtomicLong leastCounter = new AtomicLong();
  private final AtomicLong mostCounter = new AtomicLong();
  private boolean mayThrottle;
  private long throttled;
  private long sureTouches;
  private long mostTouches;

  Traffic(Combination combination, long seed) {
    this.combination = combination;
    this.random = new Random(seed);
    this.steps = new RandomSteps(random, !combination.isCluster() || combination.isShield());
  }

  /** Sets whether a write may be refused because its key is hot. */
  void mayThrottle(boolean may) {
    mayThrottle = may;
  }

  /** Returns how many writes were refused because their key was hot. */
  long throttled() {
    return throttled;
  }

  /** Returns how many touches of the counter the process surely counted. */
  long sureTouches() {
    return sureTouches;
  }

  /** Returns how many touches of the counter the process may have counted. */
  long mostTouches() {
    return mostTouches;
  }

  /** Continues with a new process, which has counted nothing. */
  void onStart() {
    sureTouches = 0;
    mostTouches = 0;
  }

  /** Continues with a store that lost its data. */
  void onLoss() {
    model.clear();
    setCounter();
  }

  /** Runs random steps, alone or several in one piece. */
  void run(RespClient client, int pipelines) throws IOException {
    for (int i = 0; i < pipelines; i++) {
      run(client);
    }
  }

  /** Runs one step, or several in one piece. */
  void run(RespClient client) throws IOException {
    var pipeline = new ArrayList<Step>();
    for (int k = random.nextInt(4) == 0 ? random.nextInt(LONGEST_PIPELINE) : 0; k >= 0; k--) {
      pipeline.add(steps.next());
    }
    perform(client, pipeline);
  }

  /** Increments the counter many times in one piece. */
  void burst(RespClient client) throws IOException {
    var burst = new ArrayList<Step>();
    for (int i = 0; i < LONGEST_PIPELINE; i++) {
      burst.add(Step.of("INCRBY", RandomSteps.COUNTER, "1"));
    }
    perform(client, burst);
  }

  /** Starts a second client that reads the counter. */
  CounterReader reader(ServerProcess server) throws IOException {
    return new CounterReader(server.connect(), leastCounter, mostCounter);
  }

  /** Runs commands until the reads of a concurrent reader have made the counter hot. */
  void awaitReads(CounterReader reader, RespClient client) throws IOException {
    Wait.until(
        "many reads",
        () -> {
          reader.throwFailure();
          run(client);
          return reader.reads() >= READS;
        });
  }

  /** Takes over the touches of a reader that has ended. */
  void add(CounterReader reader) {
    sureTouches += reader.reads();
    mostTouches += reader.reads();
  }

  /** Checks that a server holds what the model does. */
  void checkKeys(RespClient client) throws IOException {
    KeySpace.check(client, model);
    mostTouches += KeySpace.COMMANDS_PER_KEY;
  }

  /** Runs transactions that depend on a key, beside another client that may change it. */
  void watch(RespClient client, RespClient other) throws IOException {
    String key = "{c}key-1";
    for (List<String> between :
        List.of(
            List.of("SET", "{c}key-2", "other"),
            List.of("SET", key, "same"),
            List.of("DEL", key),
            List.of("DEL", key),
            List.of("FLUSHALL"))) {
      Optional<KeyModel.Entry> before = model.find(key);
      assertThat(client.call("WATCH", key)).isEqualTo("OK");
      perform(other, List.of(Step.of(between)));
      boolean changed = !model.find(key).equals(before);
      Step step = new Step(List.of(List.of("PING"), List.of("GET", key)), true);
      client.send(step.wire());
      List<String> replies = replies(client, step);
      if (changed) {
        assertThat(replies.get(3)).as("EXEC after %s", between).isEqualTo("nil");
      } else {
        assertThat(replies).as("EXEC after %s", between).isEqualTo(step.runOn(model));
      }
    }
  }

  /**
   * Kills a server while it works on commands, and returns the steps that it did not answer: each
   * may have taken place or not.
   */
  List<Step> killWithCommandsInFlight(ServerProcess server) throws IOException {
    var unanswered = new ArrayList<Step>();
    for (int i = 0; i < IN_FLIGHT; i++) {
      unanswered.add(steps.nextOverwrite());
    }
    int answersBefore = random.nextInt(IN_FLIGHT / 2);
    try (RespClient client = server.connect()) {
      client.send(wire(unanswered));
      for (int i = 0; !unanswered.isEmpty(); i++) {
        if (i == answersBefore) {
          server.kill();
        }
        accept(unanswered.get(0), replies(client, unanswered.get(0)));
        unanswered.remove(0);
      }
    } catch (IOException e) {
      assertThat(server.isAlive()).as("alive when the connection ended").isFalse();
    }
    return unanswered;
  }

  /** Applies the outcome of unanswered steps to the model; nothing else may have changed. */
  void settle(RespClient client, List<Step> unanswered) throws IOException {
    Map<String, Set<Optional<KeyModel.Entry>>> possible = new LinkedHashMap<>();
    KeyModel later = model.copy();
    RandomSteps.keys()
        .forEach(key -> possible.computeIfAbsent(key, k -> new HashSet<>()).add(later.find(key)));
    for (Step step : unanswered) {
      step.runOn(later);
      possible.forEach((key, entries) -> entries.add(later.find(key)));
    }
    KeySpace.read(client)
        .forEach(
            (key, entry) -> {
              assertThat(possible.get(key)).as("what %s held at the kill", key).contains(entry);
              model.put(key, entry);
            });
    mostTouches += KeySpace.COMMANDS_PER_KEY;
    setCounter();
  }

  private void perform(RespClient client, List<Step> pipeline) throws IOException {
    mostCounter.addAndGet(pipeline.stream().filter(Traffic::isIncrement).count());
    mostTouches += pipeline.stream().filter(Traffic::isTouch).count();
    client.send(wire(pipeline));
    for (Step step : pipeline) {
      accept(step, replies(client, step));
    }
    setCounter();
  }

  /** Applies the step to the model, unless it was refused, and compares the replies. */
  private void accept(Step step, List<String> replies) {
    String last = replies.get(replies.size() - 1);
    if (last.startsWith("-THROTTLED ")) {
      assertThat(mayThrottle).as("%s may be refused: %s", step, last).isTrue();
      throttled++;
    } else if (last.startsWith("-OOM ")) {
      assertThat(combination.toString())
          .as("%s: %s", step, last)
          .contains("engine=memory", "memory=1MiB");
    } else {
      assertThat(replies).as("replies to %s", step).isEqualTo(step.runOn(model));
      sureTouches += isTouch(step) ? 1 : 0;
    }
  }

  private static List<String> replies(RespClient client, Step step) throws IOException {
    var replies = new ArrayList<String>();
    for (List<String> sent : step.wire()) {
      String reply = client.reply();
      replies.add(sent.get(0).equals("TTL") ? reply.replaceAll("\\([0-9]+\\)", "(ttl)") : reply);
    }
    return replies;
  }

  private static List<List<String>> wire(List<Step> pipeline) {
    return pipeline.stream().flatMap(step -> step.wire().stream()).toList();
  }

  private void setCounter() {
    long value =
        model.find(RandomSteps.COUNTER).map(entry -> Long.parseLong(entry.value())).orElse(0L);
    leastCounter.set(value);
    mostCounter.set(value);
  }

  private static boolean isTouch(Step step) {
    return step.commands().get(0).contains(RandomSteps.COUNTER);
  }

  private static boolean isIncrement(Step step) {
    return isTouch(step) && step.commands().get(0).get(0).equals("INCRBY");
  }
}
