package io.heatshield.limit;

/** One key and value of a descriptor, as a caller sent them. */
public record Entry(String key, String value) {}
