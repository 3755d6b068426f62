package io.heatshield.limit;

/** One key and value of a descriptor, as a caller sent them. */
public record DescriptorEntry(String key, String value) {}
