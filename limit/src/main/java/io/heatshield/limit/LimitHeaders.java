package io.heatshield.limit;

/** The values of the response headers, for the limit that is nearest to being exceeded. */
public record LimitHeaders(long limit, long remaining, long resetSeconds) {}
