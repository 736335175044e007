use super::*;
use crate::decide::Decide;

fn arc(name: &str, order: u32) -> Arc {
    Arc { name: name.into(), description: String::new(), order }
}

fn created() -> Series {
    let create = SeriesCommand::Create { slug: "autumn".into(), arc: arc("Autumn", 3) };
    Series::fold(Series::default().decide(create).unwrap())
}

#[test]
fn a_series_is_made_once_and_keeps_its_slug() {
    let series = created();
    assert_eq!((series.slug(), series.arc(), series.exists()), (Some("autumn"), &arc("Autumn", 3), true));
    let again = SeriesCommand::Create { slug: "winter".into(), arc: arc("Winter", 4) };
    assert_eq!(series.decide(again), Err(SeriesRefusal::Exists));
}

#[test]
fn what_is_revised_is_told_field_by_field_and_what_is_not_is_not() {
    let mut series = created();
    assert_eq!(series.decide(SeriesCommand::Revise { arc: arc("Autumn", 3) }), Ok(vec![]));
    let events = series.decide(SeriesCommand::Revise { arc: arc("Fall", 1) }).unwrap();
    let expected = vec![SeriesEvent::SeriesRenamed { name: "Fall".into() }, SeriesEvent::SeriesReordered { order: 1 }];
    assert_eq!(events, expected);
    for event in events {
        series.apply(event);
    }
    assert_eq!(series.arc(), &arc("Fall", 1));
}

#[test]
fn what_is_deleted_is_not_there_any_more_and_never_comes_back() {
    let mut series = created();
    let events = series.decide(SeriesCommand::Delete { detached: 2 }).unwrap();
    assert_eq!(events, [SeriesEvent::SeriesDeleted { detached: 2 }]);
    for event in events {
        series.apply(event);
    }
    assert!(series.is_deleted() && !series.exists());
    assert_eq!(series.decide(SeriesCommand::Delete { detached: 0 }), Err(SeriesRefusal::Missing));
    assert_eq!(series.decide(SeriesCommand::Revise { arc: arc("Fall", 1) }), Err(SeriesRefusal::Missing));
    let create = SeriesCommand::Create { slug: "autumn".into(), arc: arc("Autumn", 3) };
    assert_eq!(series.decide(create), Err(SeriesRefusal::Exists));
    assert_eq!(Series::default().decide(SeriesCommand::Delete { detached: 0 }), Err(SeriesRefusal::Missing));
}
