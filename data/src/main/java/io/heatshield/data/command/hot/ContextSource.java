package io.heatshield.data.command.hot;

import io.heatshield.data.command.CommandTable;
import io.heatshield.insight.explain.KeyEffect;
import io.heatshield.insight.explain.KeySource;
import io.heatshield.insight.explain.KeyUses;
import io.heatshield.insight.explain.ScopeKind;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the contexts of hot keys know.
 *
 * @param kind the kind of the scope
 * @param now returns the contexts in use
 */
public record ContextSource(ScopeKind kind, Supplier<Contexts> now) implements KeySource {

  @Override
  public Optional<KeyUses> uses(byte[] key) {
    Contexts present = now.get();
    return present.hot.find(key).map(context -> context.uses(present.table));
  }

  @Override
  public List<KeyEffect> effects(byte[] key) {
    return now.get().hot.find(key).map(HotContext::effects).orElse(List.of());
  }

  /**
   * Contexts and the commands that they count uses by.
   *
   * @param hot the contexts
   * @param table the commands
   */
  public record Contexts(HotContexts hot, CommandTable table) {}
}
