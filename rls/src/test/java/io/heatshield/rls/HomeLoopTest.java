package io.heatshield.rls;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.runtime.net.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HomeLoopTest {
  private final Transport transport = new Transport(1);
  private final HomeLoop home = home();

  @AfterEach
  void stop() {
    transport.stop(Duration.ofSeconds(5));
  }

  @Test
  void home_onALoopOrAnotherThread_isThatLoopOrNone() throws Exception {
    HomeLoop again =
        transport
            .workers()
            .submit(() -> HomeLoop.enter(transport.workers()))
            .get(10, TimeUnit.SECONDS);
    HomeLoop current = transport.workers().submit(HomeLoop::current).get(10, TimeUnit.SECONDS);

    assertThat(again).isSameAs(home);
    assertThat(current).isSameAs(home);
    assertThat(HomeLoop.enter(transport.workers())).isNull();
    assertThat(HomeLoop.current()).isNull();
  }

  @Test
  void hand_byManyThreads_runsAllOnTheLoopInTheOrderOfEachThread() throws Exception {
    Queue<Integer> ran = new ConcurrentLinkedQueue<>();
    var strangers = new ConcurrentLinkedQueue<Integer>();
    var left = new CountDownLatch(4 * 5000);
    var threads = new ArrayList<Thread>();
    for (int t = 0; t < 4; t++) {
      int first = t * 5000;
      threads.add(
          new Thread(
              () -> {
                for (int i = first; i < first + 5000; i++) {
                  int number = i;
                  home.hand(
                      () -> {
                        (home.isHere() ? ran : strangers).add(number);
                        left.countDown();
                      });
                }
              }));
    }

    threads.forEach(Thread::start);

    assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(strangers).isEmpty();
    for (int t = 0; t < 4; t++) {
      int thread = t;
      List<Integer> own = ran.stream().filter(number -> number / 5000 == thread).toList();
      assertThat(own).hasSize(5000).isSorted();
    }
  }

  @Test
  void hand_aTaskThatThrows_doesNotStopOthers() throws Exception {
    var next = new CompletableFuture<Boolean>();
    home.hand(
        () -> {
          throw new IllegalStateException("the caller is gone");
        });
    home.hand(() -> next.complete(home.isHere()));

    assertThat(next.get(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void hand_whenTheLoopHasEnded_runsAtOnce() {
    transport.stop(Duration.ofSeconds(5));
    var ran = new ArrayList<String>();

    home.hand(() -> ran.add("first"));
    home.hand(() -> ran.add("second"));

    assertThat(ran).containsExactly("first", "second");
    assertThat(home.runAtTurnEnd(() -> {})).isFalse();
    assertThat(home.runAfter(1, () -> {})).isFalse();
  }

  @Test
  void land_onTheLoopAndElsewhere_runsOnTheLoopAndThereAtOnce() throws Exception {
    var elsewhere = new CompletableFuture<Boolean>();
    home.runOnLoop(() -> elsewhere.complete(home.isHere()));
    var there = new ArrayList<String>();

    transport
        .workers()
        .submit(
            () -> {
              home.runOnLoop(() -> there.add("landed"));
              there.add("after");
            })
        .get(10, TimeUnit.SECONDS);

    assertThat(elsewhere.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(there).containsExactly("landed", "after");
  }

  @Test
  void after_aWhile_runsOnTheLoop() throws Exception {
    var ran = new CompletableFuture<Boolean>();

    assertThat(home.runAfter(1000, () -> ran.complete(home.isHere()))).isTrue();

    assertThat(ran.get(10, TimeUnit.SECONDS)).isTrue();
  }

  private HomeLoop home() {
    return Objects.requireNonNull(
        transport
            .workers()
            .submit(() -> HomeLoop.enter(transport.workers()))
            .syncUninterruptibly()
            .getNow());
  }
}
