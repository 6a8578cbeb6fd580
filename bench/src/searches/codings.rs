//! What the content codings of the search stream make of its bytes, and what they cost.

use std::{io::Write, sync::Arc, time::Duration};

use super::{Kind, Searcher, StubSuppliers, alone};
use crate::{Installation, Result, at_most, count};

/// None, and each with how many times its time of a core it may take.
const CODINGS: [(Option<&str>, f64); 3] = [(None, f64::INFINITY), (Some("zstd"), 1.2), (Some("br"), 1.6)];
/// How many times the last event alone the whole stream may be.
const STREAM: f64 = 1.3;
/// How much later half of the first events may be there, in ms.
const FIRST_EVENT: f64 = 1.0;
/// What the encoders of one server may take unless it is told otherwise, and a little more, in MiB.
const MEMORY: f64 = 256.0 + 50.0;

/// Compares the codings with none, by so many searches of each and so many streams at once.
pub async fn compare_codings(
    installation: &Installation,
    suppliers: &StubSuppliers,
    searches: usize,
    streams: usize,
) -> Result<()> {
    let (processor, memory) = (installation.processor()?, installation.memory()?);
    let (mut plain, mut searchers) = (None, Vec::new());
    for (coding, most) in CODINGS {
        let searcher = Arc::new(Searcher::of(installation, suppliers).await?.asking_for(coding));
        let (timed, stream) = searcher.received(Kind::Events, true).await?;
        let before = processor.spent()?;
        let traffic = alone(&searcher, Kind::Events, searches).await?;
        let each = (processor.spent()? - before).as_secs_f64() * 1000.0 / count(searches.max(1));
        let first = traffic.first().percentile(50);
        let (name, sent) = (coding.unwrap_or("identity"), timed.bytes / 1000);
        println!(
            "{name}: {sent} kB of {}, {each:.1} ms of a core, first event {first:.1} ms",
            stream.len() / 1000
        );
        let (plain_each, plain_first) = *plain.get_or_insert((each, first));
        if let Some(coding) = coding {
            let ratio = count(timed.bytes) / count(last_event_alone(coding, &stream)?);
            at_most(&format!("{coding}: stream ÷ its last event alone"), ratio, STREAM);
            at_most(&format!("{coding}: time of a core ÷ uncompressed"), each / plain_each, most);
            at_most(&format!("{coding}: first event later, ms at p50"), first - plain_first, FIRST_EVENT);
        }
        searchers.push(searcher);
    }
    let peak_of = async |searcher: &Arc<Searcher>| -> Result<f64> {
        let begun = memory.now()?;
        let ((), peak) = memory.peak_during(suppliers.in_turns(streams, searcher.streams(streams))).await?;
        println!("{streams} streams at once: {peak:.0} MiB at most, {begun:.0} MiB before them");
        // What was freed is given back.
        tokio::time::sleep(Duration::from_secs(5)).await;
        Ok(peak)
    };
    let [plain, coded @ ..] = &searchers[..] else { return Ok(()) };
    peak_of(plain).await?;
    for ((coding, _), searcher) in CODINGS.iter().skip(1).zip(coded) {
        // A server keeps a little more after each run: each coding is compared with a run right before it.
        let without = peak_of(plain).await?;
        let name = format!("{}: MiB more for {streams} streams at once", coding.unwrap_or_default());
        at_most(&name, peak_of(searcher).await? - without, MEMORY);
    }
    Ok(())
}

/// How long the last event of a stream is when it alone is coded, at the server's level.
fn last_event_alone(coding: &str, stream: &[u8]) -> Result<usize> {
    let events = stream.strip_suffix(b"\n\n").ok_or("a stream without its end")?;
    let last = events.rsplit(|byte| *byte == b'\n').next().ok_or("a stream without events")?;
    if coding == "zstd" {
        let mut alone = Vec::with_capacity(zstd_safe::compress_bound(last.len()));
        return zstd_safe::compress(&mut alone, last, 2)
            .map_err(|code| zstd_safe::get_error_name(code).into());
    }
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 4096, 3, 22);
    writer.write_all(last)?;
    Ok(writer.into_inner().len())
}
