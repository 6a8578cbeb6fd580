//! Runs real servers: every way they start, end and get killed, as root and as a plain user.

#[cfg(test)]
mod adoption;
#[cfg(test)]
mod fetching;
#[cfg(test)]
mod kills;
#[cfg(test)]
mod life;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod support;
#[cfg(test)]
mod throw_away;
#[cfg(test)]
mod users;
