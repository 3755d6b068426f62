package io.heatshield.server.command;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.store.GuardedStore;

/**
 * A store as clients of the data door see it.
 *
 * @param name its name, which is also its scope
 * @param index the number that SELECT takes for it
 * @param store what holds the data
 * @param detector counts every key of every command
 * @param hot what is known about its hot keys
 * @param maxValueBytes the longest value
 */
public record OpenStore(
    String name,
    int index,
    GuardedStore store,
    HotKeyDetector detector,
    HotContexts hot,
    int maxValueBytes) {}
