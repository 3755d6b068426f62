package io.heatshield.web.http;

/**
 * The body of an error response under {@code /api}.
 *
 * @param error the reason
 * @param status the HTTP status
 */
public record Problem(String error, int status) {}
