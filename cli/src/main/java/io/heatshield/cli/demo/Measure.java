package io.heatshield.cli.demo;

/**
 * The measurements of clients and store in one interval, as rates per second.
 *
 * @param attackRequests requests for the attacked keys, including skipped ones
 * @param attackAnswered answered requests for the attacked keys
 * @param throttled throttled requests for the attacked keys
 * @param attackErrors failed requests for the attacked keys
 * @param attackStoreCalls commands for the attacked keys that reached the store
 * @param storeCalls all commands that the store executed
 * @param othersRequests requests of the other users
 * @param othersErrors failed requests of the other users
 * @param othersP50Millis the median latency of the other users
 * @param othersP99Millis the 99th percentile of the other users' latency
 */
record Measure(
    double attackRequests,
    double attackAnswered,
    double throttled,
    double attackErrors,
    double attackStoreCalls,
    double storeCalls,
    double othersRequests,
    double othersErrors,
    double othersP50Millis,
    double othersP99Millis) {}
