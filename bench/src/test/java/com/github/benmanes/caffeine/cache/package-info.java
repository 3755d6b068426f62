/** Access to a package-private class of Caffeine, for comparison. */
@NullMarked
package com.github.benmanes.caffeine.cache;

import org.jspecify.annotations.NullMarked;
