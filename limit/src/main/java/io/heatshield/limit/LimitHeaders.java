package io.heatshield.limit;

/** The numbers for the headers that tell a caller about the limit it is nearest to. */
public record LimitHeaders(long limit, long remaining, long resetSeconds) {}
