//! How old the tables are.

/// The day on which the tables of places, airlines and calling codes changed last; `data/LICENSES.md` has the dates of their sources.
pub const TABLES_DATE: &str = "2026-11-28";

#[cfg(test)]
mod tests {
    use std::fs;

    /// Of all tables, one after the other by their names: CRC-32.
    const SUM: u32 = 0x83ed_6f76;

    #[test]
    fn the_date_is_that_of_the_tables() {
        let files = fs::read_dir("data").unwrap().map(|entry| entry.unwrap().path());
        let mut tables: Vec<_> =
            files.filter(|path| path.extension().is_some_and(|end| end == "csv")).collect();
        tables.sort();
        let mut sum = flate2::Crc::new();
        tables.iter().for_each(|table| sum.update(&fs::read(table).unwrap()));
        assert_eq!(
            sum.sum(),
            SUM,
            "they have changed: write the day into TABLES_DATE and {:#x} into SUM",
            sum.sum()
        );
    }
}
