//! What can happen to a database that is a server.

use std::thread::sleep;
use std::time::Duration;

use assize_testbed::Postgres;
use tempfile::tempdir;

use super::patient::{FailingCalls, PLAIN, Patient, side_by_side};
use super::sqlite::runs_out_of_handles;

#[test]
fn a_server_over_postgresql_says_that_it_is_ill_and_recovers_with_nothing_lost_or_doubled() {
    side_by_side(&[
        ("it only reads", it_only_reads),
        ("it is gone", it_is_gone),
        ("it freezes", it_freezes),
        ("its disk fails", || its_disk_refuses("EIO")),
        ("its disk is full", || its_disk_refuses("ENOSPC")),
        ("no handles are left", no_handles_are_left),
    ]);
}

fn admitted() -> (Patient, Postgres, String) {
    let postgres = Postgres::start();
    let url = postgres.database();
    (Patient::admit(tempdir().unwrap(), PLAIN, &url), postgres, url)
}

fn it_only_reads() {
    let (patient, postgres, url) = admitted();
    let name = url.split(['/', '?']).nth(3).unwrap();
    let change = |setting: &str| {
        let altered = format!("BEGIN READ WRITE; ALTER DATABASE {name} {setting}; COMMIT");
        postgres.ask(&url, &altered);
        postgres.ask(
            &url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'assize'",
        );
        // A connection that was idle for less than a tenth of a second is taken as it is, and whoever
        // is given one that has just been ended is refused.
        sleep(Duration::from_millis(200));
    };
    change("SET default_transaction_read_only = on");
    patient.is_ill(200..=200);
    change("RESET default_transaction_read_only");
    patient.gets_well();
    patient.has_finished();
    assert!(patient.failed_writes() >= 3);
}

fn it_is_gone() {
    let (patient, postgres, _) = admitted();
    postgres.stop();
    patient.is_ill(500..=599);
    postgres.resume();
    patient.gets_well();
    patient.has_finished();
}

/// A server that is there and says nothing is the worst: connections to it stay open.
fn it_freezes() {
    let (patient, postgres, _) = admitted();
    patient.is_frozen(postgres.freeze());
    patient.has_finished();
}

/// A server that cannot write its log ahead ends, and comes back when somebody starts it.
fn its_disk_refuses(error: &str) {
    let (patient, postgres, _) = admitted();
    let failing = FailingCalls::start(&postgres.processes(), error, &[]);
    patient.is_ill(200..=599);
    drop(failing);
    postgres.resume();
    patient.gets_well();
    patient.has_finished();
}

fn no_handles_are_left() {
    let (patient, _postgres, _) = admitted();
    runs_out_of_handles(&patient);
}
