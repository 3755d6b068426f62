package io.heatshield.config.settings;

import java.time.Duration;

/** The settings of hot-key detection. */
public record DetectSettings(
    @Setting(
            value = "60s",
            min = "1s",
            max = "1h",
            live = true,
            doc = "The interval over which touches are counted.")
        Duration window,
    @Setting(
            value = "4",
            min = "1",
            max = "60",
            doc = "The number of equal parts of a window, which expire one by one.")
        int panes,
    @Setting(
            value = "100",
            min = "1",
            max = "1000000000",
            live = true,
            doc = "The rate, in touches per second, at which a key turns hot.")
        long threshold,
    @Setting(
            value = "0.8",
            above = "0",
            max = "1",
            doc = "The fraction of the threshold below which a hot key turns cool.")
        double exit,
    @Setting(
            value = "false",
            doc = "Reports a key as soon as its count proves it hot, before the window ends.")
        boolean early,
    @Setting(
            value = "1024",
            min = "64",
            max = "1073741824",
            doc = "The counters in a row of the sketch; more make estimates more accurate.")
        int width,
    @Setting(
            value = "4",
            min = "2",
            max = "16",
            doc = "The rows of the sketch; more make large errors less likely.")
        int depth,
    @Setting(
            value = "10",
            min = "1",
            max = "256",
            doc = "The number of hottest keys kept for each scope.")
        int topK,
    @Setting(
            value = "false",
            doc =
                "Also counts prefixes that end in a colon, to find `cart:*` if no single key is"
                    + " hot.")
        boolean prefixes,
    @Setting(
            value = "64",
            min = "1",
            max = "1024",
            doc = "The maximum number of scopes with a detector; each takes its own memory.")
        int maxScopes) {}
