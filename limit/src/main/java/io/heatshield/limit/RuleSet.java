package io.heatshield.limit;

/** All rules of a configuration; immutable. */
public final class RuleSet {
  private static final RuleSet EMPTY = new RuleSet();

  private RuleSet() {}

  /** Returns the rules of nothing: no domain is known, and no limit applies. */
  public static RuleSet empty() {
    return EMPTY;
  }

  /** Returns the names of all domains. */
  public java.util.Set<String> domains() {
    return java.util.Set.of();
  }

  /** Returns one line for each rule: its composite key, its limit and its flags. */
  public String dump() {
    return "";
  }
}
