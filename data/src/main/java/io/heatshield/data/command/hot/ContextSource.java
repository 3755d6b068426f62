package io.heatshield.data.command.hot;

import io.heatshield.insight.explain.KeyEffect;
import io.heatshield.insight.explain.KeySource;
import io.heatshield.insight.explain.KeyUses;
import io.heatshield.insight.explain.WayIn;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The statistics of hot keys as a source of explanations.
 *
 * @param way the part of the server that uses the keys
 * @param contexts returns the current statistics
 */
public record ContextSource(WayIn way, Supplier<HotContexts> contexts) implements KeySource {

  @Override
  public Optional<KeyUses> uses(byte[] key) {
    return contexts.get().find(key).map(HotContext::uses);
  }

  @Override
  public List<KeyEffect> effects(byte[] key) {
    return contexts.get().find(key).map(HotContext::effects).orElse(List.of());
  }
}
