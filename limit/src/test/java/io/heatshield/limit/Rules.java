package io.heatshield.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.limit.rule.RuleSet;
import io.heatshield.limit.yaml.LoadResult;
import io.heatshield.limit.yaml.RuleFiles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** Factories of rules and requests for tests. */
public final class Rules {
  private Rules() {}

  /** Returns the rules of a YAML text. */
  public static RuleSet of(String yaml) {
    LoadResult result = RuleFiles.load("test.yaml", yaml.getBytes(StandardCharsets.UTF_8));
    assertThat(result).isInstanceOf(LoadResult.Valid.class);
    return ((LoadResult.Valid) result).rules();
  }

  /** Returns a descriptor from {@code key=value,key=value}. */
  public static Descriptor descriptor(String text) {
    return Descriptor.of(entries(text).toArray(DescriptorEntry[]::new));
  }

  /** Returns a descriptor with its own hits. */
  public static Descriptor descriptor(String text, long hits) {
    return new Descriptor(entries(text), null, OptionalLong.of(hits));
  }

  /** Returns entries from {@code key=value,key=value}. */
  public static List<DescriptorEntry> entries(String text) {
    var entries = new ArrayList<DescriptorEntry>();
    for (String part : text.split(",", -1)) {
      int split = part.indexOf('=');
      entries.add(new DescriptorEntry(part.substring(0, split), part.substring(split + 1)));
    }
    return entries;
  }

  /** Returns a request for descriptors. */
  public static LimitRequest request(String domain, String... descriptors) {
    List<Descriptor> all = List.of(descriptors).stream().map(Rules::descriptor).toList();
    return new LimitRequest(domain, all, 0);
  }

  /** Returns the answer of a stage that is already complete. */
  public static LimitAnswer now(CompletionStage<LimitAnswer> stage) {
    assertThat(stage.toCompletableFuture()).isCompleted();
    return stage.toCompletableFuture().join();
  }
}
