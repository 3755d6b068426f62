package io.heatshield.config.settings;

import java.nio.file.Path;

/** A user of the data port. */
public record UserSettings(
    @Setting(
            name = true,
            doc = "The user's name, unique among users; default can authenticate without a name.")
        String name,
    @Setting(
            doc =
                "A file with the password, at least 8 characters, readable by its owner only;"
                    + " reloaded when it changes.")
        Path passwordFile,
    @Setting(
            value = "false",
            doc = "Whether FLUSHALL, FLUSHDB and other commands that delete all data are allowed.")
        boolean admin) {}
