package io.heatshield.data.command.session;

/**
 * Whoever a client has shown itself to be.
 *
 * @param name the user's name
 * @param admin whether commands that take everything away are allowed
 */
public record User(String name, boolean admin) {}
