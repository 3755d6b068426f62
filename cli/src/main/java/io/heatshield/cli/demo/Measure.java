package io.heatshield.cli.demo;

/**
 * What the clients and the store measured in one interval.
 *
 * @param attackRequests requests per second for the attacked key or keys, those not sent included
 * @param attackAnswered how many of them were answered, per second
 * @param throttled how many of them Heatshield throttled, per second
 * @param attackErrors how many of them failed, per second
 * @param attackStoreCalls commands per second that reached the store for them
 * @param storeCalls all commands per second that the store executed
 * @param othersRequests requests per second of the other users
 * @param othersErrors how many of them failed, per second
 * @param othersP50Millis the median latency of the other users
 * @param othersP99Millis the latency that 99 % of the other users' requests do not exceed
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
