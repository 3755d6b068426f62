package example;

import static io.heatshield.action.Mode.ENFORCE;
import static java.time.Duration.ofSeconds;

import io.heatshield.store.GuardedStore;
import io.heatshield.store.engine.Value;
import java.nio.charset.StandardCharsets;

/** A table of a database behind the guard: hot reads, absent keys, throttled writes. */
public final class GuardedTable {

  public static void main(String[] args) throws Exception {
    var engine = new TableEngine("jdbc:h2:mem:entries");
    try (GuardedStore store =
        GuardedStore.over(engine).writeLimit(ENFORCE, 10, ofSeconds(1)).maxMemory(64 << 20).build()) {
      store.put(key("post:1"), Value.of("hello")).toCompletableFuture().join();

      for (int i = 0; i < 10_000; i++) {
        store.get(key("post:1")).toCompletableFuture().join();
      }
      System.out.println("10,000 reads of a hot key, few reached the table: " + (engine.reads() < 100));

      long before = engine.reads();
      for (int i = 0; i < 1_000; i++) {
        store.get(key("absent:" + i)).toCompletableFuture().join();
      }
      System.out.println(
          "1,000 reads of absent keys, few reached the table: " + (engine.reads() - before < 20));

      int refused = 0;
      for (int i = 0; i < 1_000 && refused == 0; i++) {
        boolean throttled =
            store.put(key("counter"), Value.of("" + i)).toCompletableFuture().join().isThrottled();
        refused += throttled ? 1 : 0;
      }
      System.out.println("a key that is written too often is throttled: " + (refused == 1));
    }
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
