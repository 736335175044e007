//! What this engine knows of itself, as it is at the look.

use crate::engine::Engine;
use crate::engine::projector::Projectors;
use crate::telling::catalogue as c;

impl Engine {
    pub(super) fn tell_connections(&self) {
        let pool = self.log.pool();
        let (all, idle) = (u64::from(pool.size()), pool.num_idle() as u64);
        c::CONNECTIONS.count(&["idle"], idle);
        c::CONNECTIONS.count(&["used"], all.saturating_sub(idle));
        c::CONNECTIONS_MOST.count(&[], u64::from(pool.options().get_max_connections()));
    }

    pub(super) fn tell_loops(&self) {
        for beat in self.beats() {
            let (name, age) = (&[beat.name.as_str()], beat.age);
            c::HEARTBEAT_AGE.set(name, age.as_secs_f64());
            if let Some(at) = self.clock.reckoned().and_then(|now| now.checked_sub_signed(chrono::TimeDelta::from_std(age).ok()?))
            {
                c::HEARTBEAT.set(name, seconds(at));
            }
        }
        c::STALLED.count(&[], self.stalled().len() as u64);
    }

    pub(super) fn tell_projections(&self) {
        for status in self.projectors().map(Projectors::statuses).unwrap_or_default() {
            let name = &[status.name];
            let build = status.building.as_ref();
            let stopped = status.stopped_at.or(build.and_then(|build| build.stopped_at));
            c::PROJECTION_STOPPED.flag(name, stopped.is_some());
            let Some(build) = build else { continue };
            c::BUILD_POSITION.count(name, build.position);
            c::BUILD_RATE.count(name, build.rate.unwrap_or_default());
            if let Some(left) = build.seconds_left {
                c::BUILD_LEFT.count(name, left);
            }
        }
    }

    pub(super) fn tell_links(&self) {
        for link in self.links.statuses() {
            let scope = &[link.scope.as_str()];
            c::LINK_REACHABLE.flag(scope, link.reachable);
            c::LINK_CONNECTED.flag(scope, link.connected);
            if let Some(since) = link.since_answer {
                c::LINK_AGE.set(scope, since.as_secs_f64());
            }
            if let Some(memory) = link.key_memory_seconds {
                c::LINK_MEMORY.count(scope, memory);
            }
        }
    }

    pub(super) fn tell_modules(&self) {
        let registry = self.registry();
        let linked = registry.linked();
        let refused = registry.refused().count() - linked.refused.len();
        let own = registry.modules().len() - linked.in_force.len();
        c::MODULES.count(&["build", "in_force"], own as u64);
        c::MODULES.count(&["build", "refused"], refused as u64);
        c::MODULES.count(&["game", "in_force"], linked.in_force.len() as u64);
        c::MODULES.count(&["game", "refused"], linked.refused.len() as u64);
    }

    /// What stays as it is for as long as the process lives.
    pub fn tell_start(&self) {
        let schema = crate::log::MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default();
        c::BUILD_INFO.count(&[env!("CARGO_PKG_VERSION"), &schema.to_string()], 1);
        if let Some(at) = self.clock.reckoned() {
            c::STARTED.set(&[], seconds(at));
        }
    }
}

/// Seconds since 1970.
#[expect(clippy::cast_precision_loss, reason = "milliseconds are exact for the next two hundred thousand years")]
fn seconds(at: chrono::DateTime<chrono::Utc>) -> f64 {
    at.timestamp_millis() as f64 / 1_000.0
}
