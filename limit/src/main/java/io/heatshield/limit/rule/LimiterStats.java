package io.heatshield.limit.rule;

/**
 * Totals of a limiter since it was created, without those of rules.
 *
 * @param failures requests that failed because the backend did
 * @param unknownDomains descriptors whose domain has no rules
 * @param shadowed requests over their limit that the global shadow mode answered OK
 */
public record LimiterStats(long failures, long unknownDomains, long shadowed) {}
