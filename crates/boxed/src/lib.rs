#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

use proc_macro::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{
    Block, Error, FnArg, GenericArgument, GenericParam, Item, Lifetime, ParenthesizedGenericArguments, Pat,
    PathArguments, Receiver, Result, ReturnType, Signature, Type, TypeParamBound, TypeReference, Visibility,
    parse_macro_input, parse_quote,
    visit_mut::{VisitMut, visit_type_reference_mut},
};

/// Makes an `async fn` one that returns a boxed future; on an `impl` it does so to each public one.
///
/// The body of an `async fn` is compiled again in every crate that awaits it, with the bodies of all that it awaits. A boxed
/// future is compiled once, where it is written. A call costs one allocation, so what runs for each row or offer stays
/// as it is. The future is `Send`. A parameter that is not used is dropped when the function is called, not when it ends.
///
/// A generic function would still be compiled where it is called, and is refused. `impl Into<T>` is taken: the body has a `T`.
/// (`async-recursion` takes neither that nor `Name<'_>` nor an `impl`.)
#[proc_macro_attribute]
pub fn boxed(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut item = parse_macro_input!(item as Item);
    match expand(&mut item) {
        Ok(()) => item.into_token_stream().into(),
        Err(error) => error.into_compile_error().into(),
    }
}

fn expand(item: &mut Item) -> Result<()> {
    match item {
        Item::Fn(function) => expand_function(&mut function.sig, &mut function.block),
        Item::Impl(methods) => methods.items.iter_mut().try_for_each(|item| match item {
            syn::ImplItem::Fn(method)
                if method.sig.asyncness.is_some() && matches!(method.vis, Visibility::Public(_)) =>
            {
                expand_function(&mut method.sig, &mut method.block)
            }
            _ => Ok(()),
        }),
        other => Err(Error::new_spanned(other, "only a function or an `impl` has futures to box")),
    }
}

fn expand_function(signature: &mut Signature, body: &mut Block) -> Result<()> {
    if signature.asyncness.take().is_none() {
        return Err(Error::new_spanned(&signature.ident, "this function has no future to box"));
    }
    let mut elided = Elided::default();
    signature.inputs.iter_mut().for_each(|input| elided.visit_fn_arg_mut(input));
    elided.within_mut = false;
    let mut output: Type = match &signature.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, output) => (**output).clone(),
    };
    elided.visit_type_mut(&mut output);
    signature.output = parse_quote! {
        -> ::core::pin::Pin<::std::boxed::Box<
            dyn ::core::future::Future<Output = #output> + ::core::marker::Send + 'boxed
        >>
    };
    for parameter in &signature.generics.params.clone() {
        let GenericParam::Lifetime(named) = parameter else {
            let reason = "a generic function is compiled where it is called: box one that is not";
            return Err(Error::new_spanned(parameter, reason));
        };
        let named = &named.lifetime;
        signature.generics.make_where_clause().predicates.push(parse_quote!(#named: 'boxed));
    }
    if signature.receiver().is_some_and(|receiver| receiver.reference.is_none()) {
        signature.generics.make_where_clause().predicates.push(parse_quote!(Self: 'boxed));
    }
    for lifetime in elided.new.into_iter().chain([parse_quote!('boxed)]) {
        signature.generics.params.insert(0, parse_quote!(#lifetime));
    }
    *body = parse_quote!({ ::std::boxed::Box::pin(async move #body) });
    convert_arguments(signature, body)
}

/// Where an argument is `impl Into<T>`, the body becomes that of an inner function which takes a `T`.
fn convert_arguments(signature: &mut Signature, body: &mut Block) -> Result<()> {
    let is_generic =
        |input: &FnArg| matches!(input, FnArg::Typed(one) if matches!(*one.ty, Type::ImplTrait(_)));
    if !signature.inputs.iter().any(is_generic) {
        return Ok(());
    }
    let mut inner = signature.clone();
    inner.ident = format_ident!("boxed");
    let mut values = Vec::new();
    for (index, (outer, inner)) in signature.inputs.iter_mut().zip(&mut inner.inputs).enumerate() {
        let (FnArg::Typed(outer), FnArg::Typed(inner)) = (outer, inner) else {
            return Err(Error::new_spanned(&signature.ident, "a method can't take `impl Into<T>`"));
        };
        let name = match &*outer.pat {
            Pat::Ident(name) => name.ident.clone(),
            _ => format_ident!("argument_{index}"),
        };
        *outer.pat = parse_quote!(#name);
        if let Type::ImplTrait(_) = &*outer.ty {
            *inner.ty = converted(&outer.ty)?;
            values.push(quote!(#name.into()));
        } else {
            values.push(quote!(#name));
        }
    }
    *body = parse_quote!({ #inner #body boxed(#(#values),*) });
    Ok(())
}

/// The `T` of `impl Into<T>`.
fn converted(argument: &Type) -> Result<Type> {
    if let Type::ImplTrait(bounds) = argument
        && let Some(TypeParamBound::Trait(bound)) = bounds.bounds.first()
        && let Some(last) = bound.path.segments.last()
        && last.ident == "Into"
        && let PathArguments::AngleBracketed(arguments) = &last.arguments
        && let Some(GenericArgument::Type(target)) = arguments.args.first()
    {
        return Ok(target.clone());
    }
    Err(Error::new_spanned(argument, "this makes the function generic: only `impl Into<T>` is taken"))
}

/// Names the lifetimes that a signature leaves out: `'boxed`, but behind a `&mut`, which admits no shorter one, each its own.
#[derive(Default)]
struct Elided {
    within_mut: bool,
    new: Vec<Lifetime>,
}

impl Elided {
    fn name(&mut self) -> Lifetime {
        if !self.within_mut {
            return parse_quote!('boxed);
        }
        let name = format!("'boxed{}", self.new.len());
        let new = Lifetime::new(&name, proc_macro::Span::call_site().into());
        self.new.push(new.clone());
        new
    }
}

impl VisitMut for Elided {
    fn visit_receiver_mut(&mut self, receiver: &mut Receiver) {
        if let Some((_, lifetime)) = &mut receiver.reference {
            lifetime.get_or_insert_with(|| parse_quote!('boxed));
        }
    }

    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = Some(self.name());
        }
        let outside = self.within_mut;
        self.within_mut |= reference.mutability.is_some();
        visit_type_reference_mut(self, reference);
        self.within_mut = outside;
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.name();
        }
    }

    /// What a `Fn(&T)` leaves out is its own.
    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut ParenthesizedGenericArguments) {}
}
