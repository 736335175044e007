/// What may be asked of a reservation: `by` takes it or gives it back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReservationCommand {
    Take { by: String },
    Release { by: String },
}
