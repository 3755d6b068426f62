package io.heatshield.data.command.hot;

import io.heatshield.insight.explain.KeyEffect;
import io.heatshield.insight.explain.KeySource;
import io.heatshield.insight.explain.KeyUses;
import io.heatshield.insight.explain.ScopeKind;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The statistics of hot keys as a source of explanations.
 *
 * @param kind the kind of the scope
 * @param contexts returns the current statistics
 */
public record ContextSource(ScopeKind kind, Supplier<HotContexts> contexts) implements KeySource {

  @Override
  public Optional<KeyUses> uses(byte[] key) {
    return contexts.get().find(key).map(HotContext::uses);
  }

  @Override
  public List<KeyEffect> effects(byte[] key) {
    return contexts.get().find(key).map(HotContext::effects).orElse(List.of());
  }
}
