package io.heatshield.web.http;

/**
 * The body of a refusal or failure under {@code /api}.
 *
 * @param error what is wrong, in a sentence
 * @param status the status of the answer
 */
public record Problem(String error, int status) {}
