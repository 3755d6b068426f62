package io.heatshield.limit.limiter;

/**
 * What a limiter has seen since it was made, rules apart.
 *
 * @param failures questions that the backend could not answer
 * @param unknownDomains descriptors whose domain has no rules
 * @param shadowed requests that were over limit and answered OK by the global shadow mode
 */
public record LimiterStats(long failures, long unknownDomains, long shadowed) {}
