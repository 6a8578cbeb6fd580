//! How much memory a supplier's answer takes.

use std::sync::Arc;

/// What a value holds in memory beyond its own size, in bytes, about: what texts and lists have reserved.
pub trait HeldBytes {
    /// Bytes on the heap, shared ones in part.
    fn held_bytes(&self) -> usize;
}

/// Allocators give memory out in steps.
const STEP: usize = 16;

impl HeldBytes for String {
    fn held_bytes(&self) -> usize {
        self.capacity().next_multiple_of(STEP)
    }
}

impl<T: HeldBytes> HeldBytes for Option<T> {
    fn held_bytes(&self) -> usize {
        self.as_ref().map_or(0, HeldBytes::held_bytes)
    }
}

impl<T: HeldBytes> HeldBytes for Vec<T> {
    fn held_bytes(&self) -> usize {
        let own = (self.capacity() * size_of::<T>()).next_multiple_of(STEP);
        own + self.iter().map(HeldBytes::held_bytes).sum::<usize>()
    }
}

/// A text whose own size is all of it.
impl HeldBytes for str {
    fn held_bytes(&self) -> usize {
        0
    }
}

/// Of what is shared, everybody who has it holds a part.
impl<T: HeldBytes + ?Sized> HeldBytes for Arc<T> {
    fn held_bytes(&self) -> usize {
        const COUNTERS: usize = 2 * size_of::<usize>();
        let all = (COUNTERS + size_of_val::<T>(self)).next_multiple_of(STEP) + T::held_bytes(self);
        all.div_ceil(Arc::strong_count(self))
    }
}

/// Types that hold what these fields hold.
#[macro_export]
macro_rules! held_bytes {
    ($($name:ty { $($field:ident),+ })+) => {
        $(impl $crate::HeldBytes for $name {
            fn held_bytes(&self) -> usize {
                [$($crate::HeldBytes::held_bytes(&self.$field)),+].into_iter().sum()
            }
        })+
    };
}
