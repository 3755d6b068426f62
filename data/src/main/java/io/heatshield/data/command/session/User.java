package io.heatshield.data.command.session;

/**
 * An authenticated user.
 *
 * @param admin whether commands that delete all data are allowed
 */
public record User(String name, boolean admin) {}
