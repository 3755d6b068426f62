/** Value types of rate limits: requests, descriptors, limits and answers. */
@NullMarked
package io.heatshield.limit;

import org.jspecify.annotations.NullMarked;
