package io.heatshield.limit;

/**
 * The limit that applied to a descriptor.
 *
 * @param name the rule's {@code name}, empty if it has none
 */
public record CurrentLimit(long requestsPerUnit, LimitUnit unit, String name) {}
