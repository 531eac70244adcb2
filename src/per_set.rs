//! What each rule set has one of, made when it is first asked for and shared from then on: networks, tables and books that the
//! program embeds.

use std::any::Any;
use std::sync::Arc;

use once_cell::sync::OnceCell;

use crate::board::Variant;

/// A value for each set. Its type may differ from set to set.
#[derive(Debug)]
pub struct PerSet([OnceCell<Arc<dyn Any + Send + Sync>>; Variant::ALL.len()]);

impl PerSet {
    /// Nothing yet.
    #[expect(clippy::new_without_default, reason = "it is made for statics")]
    pub const fn new() -> Self {
        Self([const { OnceCell::new() }; Variant::ALL.len()])
    }

    /// The value of a set, which `make` makes the first time. All who ask for a set want the same type.
    pub fn get<T: Any + Send + Sync>(&self, variant: Variant, make: impl FnOnce() -> T) -> Arc<T> {
        let made = self.0[variant.place()].get_or_init(|| Arc::new(make()));
        let made = Arc::clone(made).downcast();
        made.expect("a set has values of one type")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_set_has_its_own_and_makes_it_once() {
        let places = Variant::ALL.map(Variant::place);
        assert!(places.into_iter().eq(0..Variant::ALL.len()));
        let names = PerSet::new();
        for variant in Variant::ALL {
            assert_eq!(*names.get(variant, || variant.name()), variant.name());
        }
        for variant in Variant::ALL {
            assert_eq!(
                *names.get::<&str>(variant, || unreachable!()),
                variant.name()
            );
        }
    }
}
