/** The one way to a rival that its library keeps to itself: a class in that library's package. */
@NullMarked
package com.github.benmanes.caffeine.cache;

import org.jspecify.annotations.NullMarked;
